#pragma once

// The tree of a parsed document as plain values with positions.

#include <string>
#include <vector>

#include "strictyaml/source.hpp"

namespace lvs::strictyaml {

struct Entry;

struct Element {
  enum class Kind { null, scalar, sequence, map };
  Kind kind{Kind::null};
  Position where{};
  std::string value{};  ///< of a scalar
  bool plain{};         ///< a scalar without quotes: only such a one is a number or a bool
  std::vector<Element> items{};
  std::vector<Entry> entries;  ///< no initialiser here: Entry is not complete yet
};

struct Entry {
  Element key{}, value{};
};

}  // namespace lvs::strictyaml
