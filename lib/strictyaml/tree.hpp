#pragma once

// The tree of a document without duplicate keys, and the paths in it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "strictyaml/element.hpp"
#include "strictyaml/problem_list.hpp"
#include "strictyaml/source.hpp"

namespace lvs::strictyaml {

/// Nothing when the text has a fault (it is in `problems`): half a tree would only lead to more,
/// misleading problems. Duplicate keys are reported even then; of equal keys the first one is kept.
std::optional<Element> element_from_source(const Source& source, ProblemList& problems);

/// "services[0]" + "name" -> "services[0].name"; keys with odd letters are quoted in brackets.
std::string path_of_key(const std::string& path, std::string_view key);
std::string path_of_item(const std::string& path, std::size_t index);

/// "services has to be a list, not a single value"; `path` "": the file.
std::string wrong_kind(const std::string& path, Element::Kind wanted, Element::Kind found);

}  // namespace lvs::strictyaml
