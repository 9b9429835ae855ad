#pragma once

// A service as a whole: how many of its destinations do what, what is left of them together, and
// whether shifting weights still helps. For page and metrics; nothing is decided by it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "monitord/history.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

/// A destination with its share (0..1) of its service.
struct MemberSummary {
  const Verdict* verdict{};
  double weight_share{};
  double connection_share{};               ///< of the new connections of the last minute
  std::optional<double> new_per_second{};  ///< over that minute
};

struct PoolSummary {
  ipvs::ServiceKey service{};
  std::string scheduler{};
  std::uint32_t persistent_s{};  ///< timeout of its persistence; 0: it is not persistent
  std::vector<MemberSummary> members{};
  std::size_t weighted{}, drained{};
  std::size_t silent{};  ///< none where monitord leaves the service alone: nobody asks its agents
  std::uint64_t new_connections{};  ///< of the last minute
  std::uint64_t active{};
  double seconds{};  ///< that the last minute covers; 0: not known
  /// Mean F of the members with a weight above 0 and a reading; empty: there are none.
  std::optional<double> spare{};
  /// Every such member is near its limit: no weight helps any more, another server does.
  bool overloaded{};
  /// Every such member has next to nothing to do: the pool could be smaller.
  bool idle{};
};

/// A member is near its limit from this CPU occupancy on, or with less memory than that.
inline constexpr double near_limit_cpu = 0.9;
inline constexpr double near_limit_memory = 0.1;
/// It has next to nothing to do below this CPU occupancy.
inline constexpr double next_to_idle_cpu = 0.1;

/// In the order of the verdicts, each service once. The pointers are into the report.
std::vector<PoolSummary> pools_of(const CycleReport& report, const History& history);

}  // namespace lvs::monitord
