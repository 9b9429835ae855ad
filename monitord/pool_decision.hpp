#pragma once

// One service's cycle: which destinations are steered, what the strategy wants, which guards speak.

#include <vector>

#include "monitord/config.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {

/// What decide() knows about one service when it comes to decide it.
struct PoolContext {
  const ServiceSighting& sighting;
  const ServiceState& service;  ///< after tracking
  const State& state;           ///< after learning
  const Observations& seen;
  const Config& config;
};

/// A verdict for each destination of the service, in the order of their keys. Those whose `write`
/// is set are the service's plan.
std::vector<Verdict> pool_verdicts(const PoolContext& context);

}  // namespace lvs::monitord
