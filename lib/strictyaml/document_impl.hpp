#pragma once

// What Document and Node share. Not for users of the library.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "strictyaml/document.hpp"
#include "strictyaml/element.hpp"
#include "strictyaml/problem_list.hpp"
#include "strictyaml/source.hpp"

namespace lvs::strictyaml {

/// The keys of one map that its reader asked for.
struct KnownKeys {
  bool all{};
  std::vector<std::string> names{};
  std::map<std::string, std::string, std::less<>> moved{};  ///< former keys, and what to write
};

struct Document::Impl {
  Impl(std::vector<Source> parts, Content content)
      : sources{std::move(parts)}, problems{sources, content} {}

  const std::vector<Source> sources;
  ProblemList problems;
  std::optional<Element> root{};
  std::unordered_map<const Element*, KnownKeys> known{};
};

struct Node::State {
  Document::Impl* document{};
  const Element* element{};  ///< nullptr: not there
  Position where{};          ///< of the element, else of the nearest one above it
  std::string path{};
};

}  // namespace lvs::strictyaml
