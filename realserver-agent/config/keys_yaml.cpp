#include "realserver-agent/config/keys_yaml.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace lvs::agent {

using strictyaml::Node;

namespace {

/// More are no rotation.
constexpr std::size_t max_keys = 16;

std::optional<agentproto::Key> key_from_node(const Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const auto key = agentproto::key_from_hex(*text);
  if (!key) {
    node.error(node.path() + ": a key is 64 hexadecimal digits, this has " +
                   std::to_string(text->size()) + " characters",
               "monitorctl keygen --agent NAME makes one on the director");
    return std::nullopt;
  }
  if (*key == agentproto::Key{}) {
    node.error(node.path() + ": the key is all zeros");
    return std::nullopt;
  }
  return key;
}

}  // namespace

tl::expected<std::vector<AgentKey>, std::vector<strictyaml::Problem>> keys_from_yaml(
    std::string text, std::string file) {
  const strictyaml::Document document{std::move(text), std::move(file),
                                      strictyaml::Content::secret};
  const Node root = document.root();
  const Node list = root.required("keys");
  std::vector<AgentKey> keys;
  std::map<std::int64_t, std::size_t> lines;
  for (const Node& item : list.items()) {
    const Node id_node = item.required("id");
    const auto id = id_node.as_integer(1, std::numeric_limits<std::uint32_t>::max());
    const auto key = key_from_node(item.required("key"));
    item.reject_unknown_keys();
    if (id && !lines.try_emplace(*id, id_node.line()).second) {
      id_node.error(id_node.path() + ": there are two keys with this id",
                    "the other one is in line " + std::to_string(lines.at(*id)));
    }
    if (id && key) keys.push_back({static_cast<std::uint32_t>(*id), *key});
  }
  if (list.items().size() > max_keys) list.error("more than 16 keys");
  root.reject_unknown_keys();
  if (document.has_errors()) return tl::make_unexpected(document.problems());
  return keys;
}

}  // namespace lvs::agent
