#include "monitorctl/key_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "strictyaml/document.hpp"

namespace lvs::monitorctl {
namespace {

std::string entry_yaml(std::uint32_t id, std::string_view word, const agentproto::Key& key) {
  return fmt::format("  - id: {}\n    {}: {}\n", id, word, agentproto::hex_from_key(key));
}

}  // namespace

tl::expected<std::vector<StoredKey>, std::string> stored_keys_from_yaml(std::string text,
                                                                        std::string file) {
  return keyfile::entries_from_yaml(std::move(text), std::move(file), keyfile::Holds::either)
      .map_error(strictyaml::string_from_problems);
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
