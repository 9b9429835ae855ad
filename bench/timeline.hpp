#pragma once

// Measurements of lab/measure as pictures: weights and latency over time, as those of the
// simulator. Pure.

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "clustersim/plot_svg.hpp"

namespace lvs::bench {

/// Of one pool under one load: a result a line. A group for each scheduler, in the order in which
/// they come first; in it a run for each result. Servers are as fast as they were seen to be, a
/// request costing 10 ms. The error is one line.
tl::expected<std::vector<clustersim::PlotGroup>, std::string> plot_groups_from_results(
    std::string_view lines);

}  // namespace lvs::bench
