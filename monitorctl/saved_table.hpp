#pragma once

// The table as `ipvsadm -Sn` prints it and `ipvsadm -R` takes it. Pure.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ipvs/types.hpp"

namespace lvs::monitorctl {

/// Of a persistence timeout, in seconds: ipvsadm's MAX_TIMEOUT.
inline constexpr std::uint32_t longest_timeout_s = 31 * 86400;

/// "sh-fallback,sh-port", "flag-1"; as ipvsadm, but a third flag of sh and mh, which it knows and
/// does not print, is "flag-3". Empty without scheduler flags.
std::string saved_flags(const ipvs::Service& service);

/// Services and destinations in the order given, one a line. The lines are those of `ipvsadm -Sn`
/// of version 1.31, and behind them `-x UPPER` and `-y LOWER` where there are thresholds: ipvsadm
/// takes them and forgets to print them. A mark from 2^31 on, which ipvsadm prints as a negative
/// number and then refuses, is printed as it is. What `ipvsadm -R` stops at is left out.
std::string saved_text(std::span<const ipvs::ServiceEntry> services);

/// Something that the kernel holds and that `ipvsadm -R` does not bring back.
struct Loss {
  std::string text{};  ///< one line, for people
  bool left_out{};     ///< the whole service or destination; else it comes back as another one

  friend bool operator==(const Loss&, const Loss&) = default;
};
std::vector<Loss> losses_of(std::span<const ipvs::ServiceEntry> services);

}  // namespace lvs::monitorctl
