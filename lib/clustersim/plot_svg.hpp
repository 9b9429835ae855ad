#pragma once

// Runs as a picture: weights and latency over time, a panel per strategy.

#include <string>
#include <vector>

#include "clustersim/scenario.hpp"
#include "clustersim/simulation.hpp"

namespace lvs::clustersim {

/// Runs of one scenario that are compared with each other: their panels share the latency axis.
struct PlotGroup {
  Scenario scenario{};
  std::vector<RunResult> runs{};  ///< of the same scheduler, with their series
};

/// An SVG document. Text in it (names from a scenario file) is escaped.
std::string svg_from_groups(const std::vector<PlotGroup>& groups);

}  // namespace lvs::clustersim
