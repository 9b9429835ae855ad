#include "strictyaml/merge.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace lvs::strictyaml {

using Kind = Element::Kind;

namespace {

void merge_values(Element& value, Element later, bool joined) {
  if (value.kind == Kind::map && later.kind == Kind::map) {
    merge_maps(value, std::move(later), {});
  } else if (joined && value.kind == Kind::sequence && later.kind == Kind::sequence) {
    std::ranges::move(later.items, std::back_inserter(value.items));
  } else {
    value = std::move(later);
  }
}

}  // namespace

void merge_maps(Element& map, Element later, const std::vector<std::string>& joined_lists) {
  // Copies of the keys: the entries move as their vector grows.
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < map.entries.size(); ++i)
    places.emplace(map.entries[i].key.value, i);
  for (Entry& entry : later.entries) {
    const auto found = places.find(entry.key.value);
    if (found == places.end()) {
      map.entries.push_back(std::move(entry));
      continue;
    }
    const bool joined = std::ranges::find(joined_lists, entry.key.value) != joined_lists.end();
    merge_values(map.entries[found->second].value, std::move(entry.value), joined);
  }
}

}  // namespace lvs::strictyaml
