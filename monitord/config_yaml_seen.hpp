#pragma once

// Keys and names of monitord.yaml that must not come twice, whatever their spelling.

#include <map>

#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// Where each stands first.
template <typename Key>
using Seen = std::map<Key, strictyaml::Node>;

/// False, and a problem, when `key` was there before.
template <typename Key>
bool first_time(Seen<Key>& seen, const Key& key, const strictyaml::Node& node) {
  const auto [first, is_new] = seen.try_emplace(key, node);
  if (!is_new) {
    node.refuse_value("is here for the second time",
                      "it is already in " + first->second.place_seen_from(node));
  }
  return is_new;
}

}  // namespace lvs::monitord
