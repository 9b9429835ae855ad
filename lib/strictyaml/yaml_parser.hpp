#pragma once

// Text -> tree of elements. yaml_parser.cpp is the only file of the project that knows yaml-cpp.

#include <optional>
#include <vector>

#include "strictyaml/element.hpp"
#include "strictyaml/source.hpp"

namespace lvs::strictyaml {

struct Parsed {
  Element root{};  ///< as far as the parser came
  /// Syntax errors, and what YAML allows but a configuration should not hold: anchors, tags, a
  /// second document. With any of them the tree is not what its author meant.
  std::vector<Fault> faults{};
};

/// Equal keys are all in the tree.
Parsed parsed_from_source(const Source& source);

}  // namespace lvs::strictyaml
