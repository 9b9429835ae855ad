#pragma once

// The best weights that never change, found by trying.

#include <cstdint>
#include <string>
#include <vector>

#include "clustersim/scenario.hpp"

namespace lvs::clustersim {

/// Weights by server. Starts from the time-average of the true capacities, tries how much of their
/// ratios serves best, then moves single servers (or groups of servers that are alike) by an
/// integer; judged by the mean time in the system on a run of some 100,000 requests (two minutes at
/// least), into which the scenario's events are squeezed. At most 30 runs, always the same for the
/// same arguments.
std::vector<std::uint32_t> best_static_weights(const Scenario& scenario,
                                               const std::string& scheduler, std::uint64_t seed);

}  // namespace lvs::clustersim
