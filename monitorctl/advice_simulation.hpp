#pragma once

// Tries in the simulator what a service has and what is proposed.

#include <cstddef>
#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitorctl/advice.hpp"

namespace lvs::monitorctl {

/// Called after each run, with how many of how many are done.
using AdviceProgress = std::function<void(std::size_t finished, std::size_t count)>;

/// The same arguments give the same figures, whatever `jobs` (0: one per CPU) is. The error says
/// why it cannot be simulated.
tl::expected<AdviceSimulation, std::string> simulated(const ServiceFacts& facts,
                                                      const std::vector<Finding>& findings,
                                                      unsigned jobs,
                                                      const AdviceProgress& progress);

/// Findings, with what the simulator says to them.
Advice advice_on(const ServiceFacts& facts, unsigned jobs, const AdviceProgress& progress);
/// Findings alone.
Advice advice_without_simulation(const ServiceFacts& facts);

}  // namespace lvs::monitorctl
