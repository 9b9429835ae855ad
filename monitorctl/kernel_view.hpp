#pragma once

// The kernel's table as a listing needs it, from whichever way in this user may take.

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/table.hpp"
#include "ipvs/types.hpp"

namespace lvs::monitorctl {

struct KernelView {
  ipvs::KernelInfo info{};
  /// False when it was read from /proc/net/ip_vs: no counters, thresholds, tunnels.
  bool complete{true};
  std::vector<ipvs::ServiceEntry> services{};
  std::string note{};  ///< one line for stderr; may be empty

  friend bool operator==(const KernelView&, const KernelView&) = default;
};

/// Over netlink; without CAP_NET_ADMIN from /proc/net/ip_vs. With `key` that service alone, and
/// no_such_service when it is not there.
tl::expected<KernelView, ipvs::Error> read_kernel(const std::optional<ipvs::ServiceKey>& key);

}  // namespace lvs::monitorctl
