#pragma once

// /proc/net/ip_vs (net/netfilter/ipvs/ip_vs_ctl.c, ip_vs_info_seq_show): the table as everybody may
// read it, without CAP_NET_ADMIN. It has no counters, thresholds, tunnels, scheduler flags or
// persistence engines, and two services of one mark (IPv4 and IPv6) look the same.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/types.hpp"

namespace lvs::monitorctl {

struct ProcTable {
  ipvs::KernelInfo info{};
  bool timeouts_known{true};  ///< false: a persistence timeout is 0 for want of the tick rate
  std::vector<ipvs::ServiceEntry> services{};

  friend bool operator==(const ProcTable&, const ProcTable&) = default;
};

/// The whole file. Persistence timeouts are in ticks there and need the kernel's own tick rate
/// (CONFIG_HZ, which is not sysconf(_SC_CLK_TCK)); 0 = unknown, and the timeouts come out as 0.
/// The error names the line and quotes it. A mark's family is that of its destinations.
tl::expected<ProcTable, std::string> proc_table_from_text(std::string_view text,
                                                          std::uint32_t ticks_per_second);

/// CONFIG_HZ out of a kernel's configuration (/boot/config-RELEASE).
std::optional<std::uint32_t> ticks_per_second_from_config(std::string_view text);

/// Reads both files. `root` is prefixed to the paths, for tests.
tl::expected<ProcTable, std::string> read_proc_table(const std::string& root = "");

}  // namespace lvs::monitorctl
