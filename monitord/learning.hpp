#pragma once

// What each real server's new reading and finished connections add to its model.

#include <map>

#include "monitord/config.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {

/// Measures of a reading in time with both C and M known; else empty.
std::optional<loadcalc::Measures> usable_measures(const Reading* reading, Moment now,
                                                  const Config& config);

/// Moves `next.servers` on by one cycle, and counts the cycles in a row in which nobody in a pool
/// had anything to do. A server of several services has one model: completions
/// are summed over all of them. Nothing is learned from a pool that has no connections (a standby
/// director), whose mean C is below the minimum, or whose counters are frozen.
void learn(State& next, const std::map<ipvs::ServiceKey, ServiceSighting>& services,
           const Observations& seen, const Config& config);

}  // namespace lvs::monitord
