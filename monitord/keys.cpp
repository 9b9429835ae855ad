#include "monitord/keys.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "agentproto/key.hpp"

namespace lvs::monitord {

using strictyaml::Node;

namespace {

/// More than two live keys are no rotation, and each one costs a derived key per agent.
constexpr std::size_t max_keys = 16;

std::optional<std::uint32_t> id_from_node(const Node& node) {
  const auto id = node.as_integer(1, std::numeric_limits<std::uint32_t>::max());
  if (!id) return std::nullopt;
  return static_cast<std::uint32_t>(*id);
}

std::optional<agentproto::Key> master_from_node(const Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const auto key = agentproto::key_from_hex(*text);
  if (!key) {
    const std::string found = text->size() == 64
                                  ? "another character is among these"
                                  : "these are " + std::to_string(text->size()) + " characters";
    node.error(node.path() + ": a key is 64 hexadecimal digits, " + found,
               "openssl rand -hex 32 makes one");
  } else if (*key == agentproto::Key{}) {
    node.error(node.path() + ": the key is all zeros", "openssl rand -hex 32 makes one");
    return std::nullopt;
  }
  return key;
}

}  // namespace

tl::expected<std::vector<PollKey>, std::vector<strictyaml::Problem>> keys_from_yaml(
    std::string text, std::string file) {
  const strictyaml::Document document{std::move(text), std::move(file),
                                      strictyaml::Content::secret};
  const Node root = document.root();
  const Node list = root.required("keys");
  std::vector<PollKey> keys;
  std::map<std::uint32_t, std::size_t> lines;
  for (const Node& item : list.items()) {
    const Node id_node = item.required("id");
    const auto id = id_from_node(id_node);
    const auto master = master_from_node(item.required("master"));
    item.reject_unknown_keys();
    if (id && !lines.try_emplace(*id, id_node.line()).second) {
      id_node.error(id_node.path() + ": there are two keys with this id",
                    "the other one is in line " + std::to_string(lines.at(*id)));
    }
    if (id && master) keys.push_back({*id, *master});
  }
  if (list.is_sequence() && list.items().empty())
    list.error("keys is empty: there has to be a key");
  if (list.items().size() > max_keys) list.error("more than 16 keys");
  root.reject_unknown_keys();
  if (document.has_errors()) return tl::make_unexpected(document.problems());
  return keys;
}

}  // namespace lvs::monitord
