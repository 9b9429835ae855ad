#include "realserver-agent/cgroup/cgroup_v2.hpp"

#include <cstdint>
#include <string_view>

#include "realserver-agent/cgroup/figures.hpp"

namespace lvs::agent {
namespace {

/// "50000 100000" or "max 100000"
tl::expected<std::optional<std::uint64_t>, ParseError> quota_from_cpu_max(std::string_view text) {
  std::string_view rest = text;
  const std::string_view quota = take_word(rest);
  if (quota == "max") return std::optional<std::uint64_t>{};
  const auto quota_us = number_from_text(quota);
  const auto period_us = number_from_text(take_word(rest));
  if (quota_us && period_us) {
    if (const auto cpus = cpus_x1000_from(*quota_us, *period_us)) return cpus;
  }
  return parse_error("cpu.max", "no quota and period", trimmed(text));
}

}  // namespace

tl::expected<CgroupCpu, ParseError> cpu_from_v2(const CgroupV2Files& files) {
  CgroupCpu cpu{};
  if (!files.is_container()) return cpu;
  cpu.container = true;
  if (files.cpu_max) {
    const auto quota = quota_from_cpu_max(*files.cpu_max);
    if (!quota) return tl::unexpected(quota.error());
    cpu.quota_x1000 = *quota;
  }
  const auto cpus = cpus_from_lists("cpuset.cpus", files.cpuset_cpus_effective, files.cpuset_cpus);
  if (!cpus) return tl::unexpected(cpus.error());
  cpu.cpuset_cpus = *cpus;
  cpu.usage_us = number_of_key(files.cpu_stat, "usage_usec");
  return cpu;
}

tl::expected<CgroupMemory, ParseError> memory_from_v2(const CgroupV2Files& files) {
  CgroupMemory memory{};
  if (!files.memory_max || trimmed(*files.memory_max) == "max") return memory;

  const auto limit = number_from_file("memory.max", files.memory_max);
  if (!limit) return tl::unexpected(limit.error());
  const auto current = number_from_file("memory.current", files.memory_current);
  if (!current) return tl::unexpected(current.error());

  memory.limit_bytes = *limit;
  memory.current_bytes = *current;
  memory.inactive_file_bytes = number_of_key(files.memory_stat, "inactive_file").value_or(0);
  return memory;
}

}  // namespace lvs::agent
