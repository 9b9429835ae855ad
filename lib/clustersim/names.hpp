#pragma once

// The words that a scenario and the command line choose from.

#include <string>
#include <vector>

namespace lvs::clustersim {

/// Schedulers that the simulator dispatches as the kernel does.
const std::vector<std::string>& scheduler_names();

/// monitord's own strategies, then the reference policies.
const std::vector<std::string>& strategy_names();

}  // namespace lvs::clustersim
