#include "realserver-agent/cgroup/cgroup.hpp"

#include <algorithm>
#include <limits>

namespace lvs::agent {

std::uint64_t cpu_limit_x1000(const CgroupCpu& cpu, const Machine& machine) {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t online =
      machine.online_cpus == 0 ? none : std::uint64_t{machine.online_cpus} * 1000;

  std::uint64_t set = none;
  if (cpu.cpuset_cpus.value_or(0) != 0) set = std::uint64_t{*cpu.cpuset_cpus} * 1000;
  if (cpu.container && machine.allowed_cpus.value_or(0) != 0) {
    set = std::min(set, std::uint64_t{*machine.allowed_cpus} * 1000);
  }
  if (set >= online) set = none;
  std::uint64_t quota = cpu.quota_x1000.value_or(none);
  if (quota > online) quota = none;

  const std::uint64_t limit = std::min(set, quota);
  return limit == none ? 0 : limit;
}

std::uint64_t memory_limit_kb(const CgroupMemory& memory, const Machine& machine) {
  if (!memory.limit_bytes) return 0;
  const std::uint64_t limit_kb = *memory.limit_bytes / 1024;
  const bool is_beyond = machine.memory_kb != 0 && limit_kb > machine.memory_kb;
  return is_beyond ? 0 : std::max<std::uint64_t>(limit_kb, 1);
}

std::optional<std::uint64_t> memory_used_kb(const CgroupMemory& memory) {
  if (!memory.current_bytes) return std::nullopt;
  return (*memory.current_bytes - std::min(*memory.current_bytes, memory.inactive_file_bytes)) /
         1024;
}

}  // namespace lvs::agent
