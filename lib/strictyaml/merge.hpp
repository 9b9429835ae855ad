#pragma once

// Several files as one document.

#include <string>
#include <vector>

#include "strictyaml/element.hpp"

namespace lvs::strictyaml {

/// Unites a map with that of a later file, key by key and all the way down. Of two lists under one
/// of the keys `joined_lists` of `map` itself the later one goes behind the earlier; of any other
/// two values the later one stays.
void merge_maps(Element& map, Element later, const std::vector<std::string>& joined_lists);

}  // namespace lvs::strictyaml
