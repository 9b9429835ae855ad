#include "monitorctl/key_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "strictyaml/document.hpp"

namespace lvs::monitorctl {
namespace {

std::optional<agentproto::Key> key_from_node(const strictyaml::Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  auto key = agentproto::key_from_hex(*text);
  if (!key) node.refuse_value("is no key: 64 hexadecimal digits", "monitorctl keygen makes one");
  return key;
}

std::optional<StoredKey> stored_key_from_node(const strictyaml::Node& node) {
  const auto id = node.required("id").as_integer(1, std::numeric_limits<std::uint32_t>::max());
  const auto master = node["master"];
  const auto agent = node["key"];
  node.reject_unknown_keys();
  if (master.exists() == agent.exists()) {
    node.error("an entry has either \"master\" (the director's file) or \"key\" (an agent's)");
    return std::nullopt;
  }
  const auto key = key_from_node(master.exists() ? master : agent);
  if (!id || !key) return std::nullopt;
  return StoredKey{static_cast<std::uint32_t>(*id), *key, master.exists()};
}

bool holds_id(const std::vector<StoredKey>& keys, std::uint32_t id) {
  return std::any_of(keys.begin(), keys.end(), [id](const auto& key) { return key.id == id; });
}

std::string entry_yaml(std::uint32_t id, std::string_view word, const agentproto::Key& key) {
  return fmt::format("  - id: {}\n    {}: {}\n", id, word, agentproto::hex_from_key(key));
}

}  // namespace

tl::expected<std::vector<StoredKey>, std::string> stored_keys_from_yaml(std::string text,
                                                                        std::string file) {
  const strictyaml::Document document(std::move(text), std::move(file),
                                      strictyaml::Content::secret);
  std::vector<StoredKey> keys;
  const auto list = document.root().required("keys");
  for (const auto& node : list.items()) {
    const auto key = stored_key_from_node(node);
    if (!key) continue;
    if (holds_id(keys, key->id)) node.error(fmt::format("id {} is there twice", key->id));
    keys.push_back(*key);
  }
  document.root().reject_unknown_keys();
  if (keys.empty() && !document.has_errors()) document.root().error("there is no key in it");
  if (document.has_errors()) {
    return tl::unexpected(strictyaml::string_from_problems(document.problems()));
  }
  return keys;
}

std::string director_keys_yaml(const agentproto::Key& master) {
  return "# monitord's keys.yaml: the director keeps it to itself (0640 root:monitord).\n"
         "# Each real server gets its own key: monitorctl keygen --agent NAME\n"
         "keys:\n" +
         entry_yaml(1, "master", master);
}

tl::expected<std::string, std::string> agent_keys_yaml(const std::vector<StoredKey>& keys,
                                                       std::string_view name) {
  auto text =
      fmt::format("# keys.yaml of the real server {} (0600): good for this name only.\n", name);
  text += "keys:\n";
  for (const auto& stored : keys) {
    if (!stored.master) {
      return tl::unexpected(
          fmt::format("key {} is an agent's key: keys of other agents can only "
                      "be made from the director's master keys",
                      stored.id));
    }
    text += entry_yaml(stored.id, "key", key_for_agent(stored, name));
  }
  return text;
}

agentproto::Key key_for_agent(const StoredKey& stored, std::string_view name) {
  return stored.master ? agentproto::agent_key(stored.key, name) : stored.key;
}

}  // namespace lvs::monitorctl
