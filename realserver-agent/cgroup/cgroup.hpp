#pragma once

// Limits of a container, version-free. The files are in cgroup_v2.hpp and cgroup_v1.hpp.
//
// Only files at the root of the visible cgroup mount are looked at. There the real root has no
// limits, so that whatever is found belongs to a container. The agent's own unit is a sub-path on
// a host: its limits (MemoryMax=, CPUQuota=) say nothing about the real server.

#include <cstdint>
#include <optional>

#include "agentproto/sample.hpp"

namespace lvs::agent {

struct CgroupCpu {
  bool container{};                            ///< surely below the real root
  std::optional<std::uint64_t> quota_x1000{};  ///< CPUs × 1000
  std::optional<std::uint32_t> cpuset_cpus{};  ///< CPUs that may be used
  std::optional<std::uint64_t> usage_us{};     ///< CPU time used

  friend bool operator==(const CgroupCpu&, const CgroupCpu&) = default;
};

struct CgroupMemory {
  std::optional<std::uint64_t> limit_bytes{};
  std::optional<std::uint64_t> current_bytes{};
  std::uint64_t inactive_file_bytes{};  ///< counted in current, given back on demand

  friend bool operator==(const CgroupMemory&, const CgroupMemory&) = default;
};

/// What the machine would give without a cgroup.
struct Machine {
  std::uint32_t online_cpus{};                  ///< 0: unknown
  std::uint64_t memory_kb{};                    ///< 0: unknown
  std::optional<std::uint32_t> allowed_cpus{};  ///< the agent's affinity mask

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// The smallest of quota, cpuset and, in a container, affinity mask, in CPUs × 1000. 0: no limit.
/// A quota beyond the online CPUs and a set of all of them limit nothing.
std::uint64_t cpu_limit_x1000(const CgroupCpu& cpu, const Machine& machine);

/// kB; 0: no limit. More than the machine has is none.
std::uint64_t memory_limit_kb(const CgroupMemory& memory, const Machine& machine);

/// kB that programs hold. Empty: unknown.
std::optional<std::uint64_t> memory_used_kb(const CgroupMemory& memory);

}  // namespace lvs::agent
