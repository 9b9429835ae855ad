#pragma once

// One service's cycle: which destinations are steered, what the strategy wants, which guards speak.

#include <vector>

#include "monitord/config.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {

/// A verdict for each destination of `sighting`, in the order of their keys. Those whose `write`
/// is set are the service's plan. `state` is the state after tracking and learning.
std::vector<Verdict> pool_verdicts(const ServiceSighting& sighting, const State& state,
                                   const Observations& seen, const Config& config);

}  // namespace lvs::monitord
