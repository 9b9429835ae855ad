#include "keyfile/keyfile.hpp"

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace lvs::keyfile {

using strictyaml::Node;

namespace {

/// More than two live keys are no rotation, and each one costs a derived key per agent.
constexpr std::size_t max_keys = 16;

std::string how_to_make_one(Holds holds) {
  return holds == Holds::agent_keys ? "monitorctl keygen --agent NAME makes one on the director"
                                    : "monitorctl keygen makes one";
}

std::optional<agentproto::Key> key_from_node(const Node& node, Holds holds) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const auto key = agentproto::key_from_hex(*text);
  if (!key) {
    const std::string found = text->size() == 64
                                  ? "another character is among these"
                                  : "these are " + std::to_string(text->size()) + " characters";
    node.error(node.path() + ": a key is 64 hexadecimal digits, " + found, how_to_make_one(holds));
  } else if (*key == agentproto::Key{}) {
    node.error(node.path() + ": the key is all zeros", how_to_make_one(holds));
    return std::nullopt;
  }
  return key;
}

/// The node of the key and whether it is a master; nothing when the entry has none or two.
std::optional<std::pair<Node, bool>> key_node(const Node& item, Holds holds) {
  if (holds == Holds::masters) return std::pair{item.required("master"), true};
  if (holds == Holds::agent_keys) return std::pair{item.required("key"), false};
  const Node master = item["master"];
  const Node own = item["key"];
  if (master.exists() != own.exists()) {
    return master.exists() ? std::pair{master, true} : std::pair{own, false};
  }
  item.error("an entry has either \"master\" (the director's file) or \"key\" (an agent's)");
  return std::nullopt;
}

std::vector<Entry> entries_from_items(const std::vector<Node>& items, Holds holds) {
  std::vector<Entry> entries;
  std::map<std::int64_t, std::size_t> lines;
  for (const Node& item : items) {
    const Node id_node = item.required("id");
    const auto id = id_node.as_integer(1, std::numeric_limits<std::uint32_t>::max());
    const auto found = key_node(item, holds);
    const auto key = found ? key_from_node(found->first, holds) : std::nullopt;
    item.reject_unknown_keys();
    if (id && !lines.try_emplace(*id, id_node.line()).second) {
      id_node.error(id_node.path() + ": there are two keys with this id",
                    "the other one is in line " + std::to_string(lines.at(*id)));
    }
    if (id && key) entries.push_back({static_cast<std::uint32_t>(*id), *key, found->second});
  }
  return entries;
}

}  // namespace

tl::expected<std::vector<Entry>, std::vector<strictyaml::Problem>> entries_from_yaml(
    std::string text, std::string file, Holds holds) {
  const strictyaml::Document document{std::move(text), std::move(file),
                                      strictyaml::Content::secret};
  const Node root = document.root();
  const Node list = root.required("keys");
  const auto items = list.items();
  auto entries = entries_from_items(items, holds);
  if (list.is_sequence() && items.empty() && holds != Holds::agent_keys) {
    list.error("keys is empty: there has to be a key", how_to_make_one(holds));
  }
  if (items.size() > max_keys) list.error("more than 16 keys");
  root.reject_unknown_keys();
  if (document.has_errors()) return tl::make_unexpected(document.problems());
  return entries;
}

}  // namespace lvs::keyfile
