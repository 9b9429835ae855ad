#pragma once

// What kind of scenario it is, from what is in it: the bars ask different things of different
// kinds.

#include "clustersim/scenario.hpp"

namespace lvs::bench {

struct Traits {
  bool stationary{};        ///< nothing happens, and the start is not counted
  bool disturbed{};         ///< what a server can take changes on the way
  bool unequal{};           ///< servers differ in what they can take
  bool equal_bases{};       ///< all weights are the same at the start
  bool bursts{};            ///< the arrival rate jumps
  bool idle_connections{};  ///< keep-alive with pauses
  bool neighbour{};         ///< somebody else takes CPU
  bool memory_pressure{};   ///< memory runs short, from the start or later
  bool persistent{};        ///< clients stay where they are
  bool low_traffic{};       ///< a connection per cycle or less over the whole pool
  bool start_counts{};      ///< no warm-up
  double duration_s{};      ///< of the run

  friend bool operator==(const Traits&, const Traits&) = default;
};

Traits traits_from(const clustersim::Scenario& scenario);

/// Where connections or the scheduler's own look mislead, and weights have to earn their place.
inline bool misleads(const Traits& traits) {
  return traits.idle_connections || traits.neighbour || traits.memory_pressure || traits.persistent;
}

}  // namespace lvs::bench
