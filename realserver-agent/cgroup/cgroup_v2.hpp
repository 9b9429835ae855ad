#pragma once

// Files of cgroup version 2 (Documentation/admin-guide/cgroup-v2.rst) -> figures.

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "realserver-agent/cgroup/cgroup.hpp"
#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// Texts of the files in sys/fs/cgroup; empty: not there.
struct CgroupV2Files {
  std::optional<std::string> cgroup_type{};
  std::optional<std::string> cpu_max{}, cpu_stat{};
  std::optional<std::string> cpuset_cpus{}, cpuset_cpus_effective{};
  std::optional<std::string> memory_max{}, memory_current{}, memory_stat{};

  /// The real root has none of these three files.
  [[nodiscard]] bool is_container() const { return cgroup_type || cpu_max || memory_max; }
};

tl::expected<CgroupCpu, ParseError> cpu_from_v2(const CgroupV2Files& files);
tl::expected<CgroupMemory, ParseError> memory_from_v2(const CgroupV2Files& files);

}  // namespace lvs::agent
