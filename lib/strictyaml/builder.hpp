#pragma once

// Text -> tree of elements, with everything that YAML allows and a configuration should not hold
// reported as a problem. The only file of the project that knows yaml-cpp is builder.cpp.

#include <optional>

#include "strictyaml/element.hpp"
#include "strictyaml/problem_list.hpp"

namespace lvs::strictyaml {

/// Nothing after a syntax error (it is in `problems`): half a tree would only lead to more,
/// misleading problems. Duplicate keys are reported even then, and only the first one is kept.
std::optional<Element> element_from_source(const Source& source, ProblemList& problems);

/// "services[0]" + "name" -> "services[0].name"; keys with odd letters are quoted in brackets.
std::string path_of_key(const std::string& path, std::string_view key);
std::string path_of_item(const std::string& path, std::size_t index);

}  // namespace lvs::strictyaml
