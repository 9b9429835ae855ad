#pragma once

// Files of cgroup version 1 (Documentation/admin-guide/cgroup-v1) -> figures.

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "realserver-agent/cgroup/cgroup.hpp"
#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// Texts of the files at the root of each controller's mount; empty: not there. Unlike version 2
/// the real root has the same files, saying "no limit".
struct CgroupV1Files {
  std::optional<std::string> cfs_quota_us{}, cfs_period_us{};  ///< cpu
  std::optional<std::string> cpuacct_usage{};                  ///< cpuacct; nanoseconds
  std::optional<std::string> cpuset_cpus{}, effective_cpus{};  ///< cpuset
  std::optional<std::string> limit_in_bytes{}, usage_in_bytes{}, memory_stat{};  ///< memory
};

tl::expected<CgroupCpu, ParseError> cpu_from_v1(const CgroupV1Files& files);
tl::expected<CgroupMemory, ParseError> memory_from_v1(const CgroupV1Files& files);

}  // namespace lvs::agent
