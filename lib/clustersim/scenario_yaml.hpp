#pragma once

// A scenario file: text -> Scenario, or every problem at once. Pure: the file is read elsewhere.
// The format is described in docs/SIMULATOR.md.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "clustersim/scenario.hpp"
#include "strictyaml/document.hpp"

namespace lvs::clustersim {

struct CheckedScenario {
  Scenario scenario{};
  std::vector<strictyaml::Problem> warnings{};
};

/// `file` is a name for messages, and its last part without ".yaml" the scenario's name where it
/// has none. On failure the warnings are among the problems, in the order of the file.
tl::expected<CheckedScenario, std::vector<strictyaml::Problem>> scenario_from_yaml(
    std::string text, const std::string& file);

}  // namespace lvs::clustersim
