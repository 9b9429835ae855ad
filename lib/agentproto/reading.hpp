#pragma once

// From two samples of one agent to the measures that strategies use.

#include <optional>
#include <string>

#include "agentproto/sample.hpp"
#include "loadcalc/further_measures.hpp"

namespace lvs::agentproto {

/// What two samples say about the time between them.
struct Measured {
  std::optional<double> cpu_busy{};       ///< C in [0,1]; empty: unknown
  std::optional<double> mem_available{};  ///< M in [0,1]; empty: unknown
  std::string reason{};                   ///< why a measure is unknown, for people; else empty
  loadcalc::FurtherMeasures further{};  ///< see further_reading.hpp; what is unknown has no reason

  friend bool operator==(const Measured&, const Measured&) = default;
};

/// C = 1 - d(idle+iowait)/d(total), or the cgroup's usage / (time * limit) where `after` has a CPU
/// limit; M = available/total, or (limit - used)/limit where it has a memory limit. C is unknown
/// when the boot ids differ, no tick passed, or a counter went back; M needs `after` alone.
/// Values are clamped to [0,1].
Measured measured_from_samples(const Sample& before, const Sample& after);

}  // namespace lvs::agentproto
