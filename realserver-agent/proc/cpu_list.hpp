#pragma once

// Lists of CPUs as the kernel prints them (cpuset(7), "List format"): "0-3,8".

#include <cstdint>
#include <optional>
#include <string_view>

namespace lvs::agent {

/// How many CPUs; empty when `text` is no list. An empty list is 0.
std::optional<std::uint32_t> count_of_cpu_list(std::string_view text);

/// Cpus_allowed_list of /proc/PID/status: the affinity mask. Empty when there is no such line.
std::optional<std::uint32_t> allowed_cpus_from_status(std::string_view text);

}  // namespace lvs::agent
