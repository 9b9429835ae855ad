#pragma once

// Does the kernel renew its IPVS counters? It does not say so in the table.

#include <string>
#include <string_view>

namespace lvs::monitord {

/// net.ipv4.vs.run_estimation and, where the kernel has it (6.2 and later), est_cpulist: an empty
/// list stops the counters as well. Pure.
bool counters_run_from_text(std::string_view run_estimation, const std::string* cpu_list);

/// False also where it cannot be told. `folder` holds the files of net.ipv4.vs.
bool counters_run(const std::string& folder = "/proc/sys/net/ipv4/vs");

}  // namespace lvs::monitord
