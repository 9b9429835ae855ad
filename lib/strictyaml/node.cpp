#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strictyaml/document.hpp"
#include "strictyaml/document_impl.hpp"
#include "strictyaml/tree.hpp"
#include "strictyaml/words.hpp"

namespace lvs::strictyaml {

using Kind = Element::Kind;

namespace {

bool is(const Element* element, Kind kind) {
  return element != nullptr && element->kind == kind;
}

std::string in_path(const std::string& path) {
  return path.empty() ? "" : " in " + path;
}

}  // namespace

bool Node::exists() const {
  return state_ && state_->element != nullptr;
}
bool Node::is_map() const {
  return state_ && is(state_->element, Kind::map);
}
bool Node::is_sequence() const {
  return state_ && is(state_->element, Kind::sequence);
}
bool Node::is_scalar() const {
  return state_ && is(state_->element, Kind::scalar);
}
bool Node::is_null() const {
  return state_ && is(state_->element, Kind::null);
}
std::string Node::path() const {
  return state_ ? state_->path : std::string{};
}
std::size_t Node::line() const {
  return state_ ? state_->where.line + 1 : 1;
}
std::string Node::file() const {
  return state_ ? state_->document->sources.at(state_->where.file).name() : std::string{};
}
std::string Node::place_seen_from(const Node& other) const {
  const std::string number = std::to_string(line());
  return file() == other.file() ? "line " + number : file() + ":" + number;
}
std::vector<std::string> Node::known_keys() const {
  if (!exists()) return {};
  const auto known = state_->document->known.find(state_->element);
  return known == state_->document->known.end() ? std::vector<std::string>{} : known->second.names;
}

Node Node::operator[](std::string_view key) const {
  if (!state_) return {};
  State child{state_->document, nullptr, state_->where, path_of_key(state_->path, key)};
  if (is_map()) {
    auto& names = state_->document->known[state_->element].names;
    if (std::find(names.begin(), names.end(), key) == names.end()) names.emplace_back(key);
    const auto& entries = state_->element->entries;
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& e) { return e.key.value == key; });
    if (entry != entries.end()) {
      child.element = &entry->value;
      child.where = entry->value.where;
    }
  }
  Node node;
  node.state_ = std::make_shared<const State>(std::move(child));
  return node;
}

Node Node::required(std::string_view key) const {
  Node node = (*this)[key];
  if (is_map() && !node.exists()) error("missing key " + in_quotes(key) + in_path(path()));
  return node;
}

std::vector<Node> Node::items() const {
  if (!exists()) return {};
  if (!is_sequence()) {
    error(wrong_kind(state_->path, Kind::sequence, state_->element->kind),
          "every item of a list is a line that starts with \"- \"");
    return {};
  }
  std::vector<Node> nodes;
  const Element* before = nullptr;
  std::size_t index = 0;
  for (const Element& item : state_->element->items) {
    // People count in the file that they look at.
    index = before == nullptr || before->where.file != item.where.file ? 0 : index + 1;
    before = &item;
    nodes.emplace_back().state_ = std::make_shared<const State>(
        State{state_->document, &item, item.where, path_of_item(state_->path, index)});
  }
  return nodes;
}

std::vector<std::pair<Node, Node>> Node::entries() const {
  if (!exists()) return {};
  if (!is_map()) {
    error(wrong_kind(state_->path, Kind::map, state_->element->kind));
    return {};
  }
  state_->document->known[state_->element].all = true;
  std::vector<std::pair<Node, Node>> nodes;
  for (const Entry& entry : state_->element->entries) {
    auto& [key, value] = nodes.emplace_back();
    const std::string path = path_of_key(state_->path, entry.key.value);
    key.state_ =
        std::make_shared<const State>(State{state_->document, &entry.key, entry.key.where, path});
    value.state_ = std::make_shared<const State>(
        State{state_->document, &entry.value, entry.value.where, path});
  }
  return nodes;
}

void Node::moved(std::string_view key, const std::string& hint) const {
  if (is_map()) state_->document->known[state_->element].moved.try_emplace(std::string{key}, hint);
}

void Node::reject_unknown_keys() const {
  if (!exists()) return;
  if (!is_map()) {
    error(wrong_kind(state_->path, Kind::map, state_->element->kind));
    return;
  }
  const KnownKeys& known = state_->document->known[state_->element];
  if (known.all) return;
  ProblemList& problems = state_->document->problems;
  for (const Entry& entry : state_->element->entries) {
    const std::string& key = entry.key.value;
    if (std::find(known.names.begin(), known.names.end(), key) != known.names.end()) continue;
    const auto former = known.moved.find(key);
    problems.error(entry.key.where, "unknown key " + problems.shown(key) + in_path(path()),
                   former != known.moved.end() ? former->second
                                               : hint_from_words(key, known.names, "known keys"));
  }
}

void Node::error(std::string message, std::string hint) const {
  if (state_) state_->document->problems.error(state_->where, std::move(message), std::move(hint));
}

void Node::warn(std::string message, std::string hint) const {
  if (!state_) return;
  state_->document->problems.add(Problem::Severity::warning, state_->where, std::move(message),
                                 std::move(hint));
}

}  // namespace lvs::strictyaml
