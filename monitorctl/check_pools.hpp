#pragma once

// The services as `monitorctl check` judges them. Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "monitorctl/check_report.hpp"

namespace lvs::monitorctl {

/// A service in numbers: from the kernel's table where that was read, from the daemon's last cycle
/// else, and always from there what the kernel cannot know.
struct CheckedPool {
  std::string service{};                   ///< "tcp 10.9.9.9:80"
  std::size_t destinations{}, weighted{};  ///< `weighted`: with a weight above 0
  bool of_daemon{};                        ///< monitord knows it; else what follows is not known
  /// Of those with a weight that monitord steers: how many, how many without a reading in time.
  std::size_t steered{}, silent{};
  std::size_t frozen{}, counters_frozen{};  ///< by verdict
  std::size_t paused{}, standby{};
  std::vector<std::string> foreign{};   ///< destinations whose weight somebody else just set
  std::optional<double> cpu_percent{};  ///< mean over those with a weight and a reading

  [[nodiscard]] std::optional<double> silent_percent() const;
};

/// In the order of the table, or of the daemon. Pools without IPVS, which only the daemon knows,
/// come last.
std::vector<CheckedPool> checked_pools(const CheckSights& sights);

}  // namespace lvs::monitorctl
