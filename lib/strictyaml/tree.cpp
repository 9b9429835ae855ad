#include "strictyaml/tree.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "strictyaml/words.hpp"
#include "strictyaml/yaml_parser.hpp"

namespace lvs::strictyaml {

namespace {

using Kind = Element::Kind;

std::string_view name_of_kind(Kind kind) {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::scalar:
      return "a single value";
    case Kind::sequence:
      return "a list";
    case Kind::map:
      return "a map of keys and values";
  }
  return "";
}

/// Drops every entry whose key was there before, and says so.
void drop_duplicates(Element& element, const std::string& path, ProblemList& problems) {
  for (std::size_t i = 0; i < element.items.size(); ++i) {
    drop_duplicates(element.items[i], path_of_item(path, i), problems);
  }
  std::unordered_map<std::string, std::size_t> first_lines;
  std::vector<Entry> kept;
  kept.reserve(element.entries.size());
  for (Entry& entry : element.entries) {
    if (entry.key.kind != Kind::scalar) continue;
    const auto [first, is_new] = first_lines.try_emplace(entry.key.value, entry.key.where.line + 1);
    drop_duplicates(entry.value, path_of_key(path, entry.key.value), problems);
    if (is_new) {
      kept.push_back(std::move(entry));
      continue;
    }
    problems.error(entry.key.where,
                   "duplicate key " + problems.shown(entry.key.value) +
                       (path.empty() || problems.secret() ? "" : " in " + path),
                   "it is already in line " + std::to_string(first->second));
  }
  element.entries = std::move(kept);
}

}  // namespace

std::optional<Element> element_from_source(const Source& source, ProblemList& problems) {
  if (const auto fault = text_fault(source)) {
    problems.error(fault->where, fault->message, fault->hint);
    return std::nullopt;
  }
  Parsed parsed = parsed_from_source(source);
  for (const Fault& fault : parsed.faults)
    problems.error(fault.where, fault.message, fault.hint);
  drop_duplicates(parsed.root, "", problems);
  if (!parsed.faults.empty()) return std::nullopt;
  return std::move(parsed.root);
}

std::string path_of_key(const std::string& path, std::string_view key) {
  const bool word = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  if (!word) return path + "[" + in_quotes(key) + "]";
  return path.empty() ? std::string{key} : path + "." + std::string{key};
}

std::string path_of_item(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

std::string wrong_kind(const std::string& path, Kind wanted, Kind found) {
  const std::string what = path.empty() ? "the file" : path;
  const std::string wish{name_of_kind(wanted)};
  if (found == Kind::null) return what + " is empty: it has to be " + wish;
  return what + " has to be " + wish + ", not " + std::string{name_of_kind(found)};
}

}  // namespace lvs::strictyaml
