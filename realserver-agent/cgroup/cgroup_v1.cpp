#include "realserver-agent/cgroup/cgroup_v1.hpp"

#include <cstdint>

#include "realserver-agent/cgroup/figures.hpp"

namespace lvs::agent {
namespace {

/// "No limit" is the greatest long, rounded down to a page of up to 64 kB (PAGE_COUNTER_MAX,
/// include/linux/page_counter.h).
constexpr std::uint64_t unlimited = 0x7FFFFFFFFFFF0000;

tl::expected<std::optional<std::uint64_t>, ParseError> quota_from(const CgroupV1Files& files) {
  if (!files.cfs_quota_us || trimmed(*files.cfs_quota_us) == "-1") {
    return std::optional<std::uint64_t>{};
  }
  const auto quota_us = number_from_file("cpu.cfs_quota_us", files.cfs_quota_us);
  if (!quota_us) return tl::unexpected(quota_us.error());
  const auto period_us = number_from_file("cpu.cfs_period_us", files.cfs_period_us);
  if (!period_us) return tl::unexpected(period_us.error());

  const auto cpus = cpus_x1000_from(quota_us->value_or(0), period_us->value_or(0));
  if (!cpus) return parse_error("cpu.cfs_period_us", "no period for the quota");
  return cpus;
}

}  // namespace

tl::expected<CgroupCpu, ParseError> cpu_from_v1(const CgroupV1Files& files) {
  const auto quota = quota_from(files);
  if (!quota) return tl::unexpected(quota.error());
  const auto cpus = cpus_from_lists("cpuset.cpus", files.effective_cpus, files.cpuset_cpus);
  if (!cpus) return tl::unexpected(cpus.error());
  const auto usage_ns = number_from_file("cpuacct.usage", files.cpuacct_usage);
  if (!usage_ns) return tl::unexpected(usage_ns.error());

  CgroupCpu cpu{};
  cpu.container = quota->has_value();
  cpu.quota_x1000 = *quota;
  cpu.cpuset_cpus = *cpus;
  if (*usage_ns) cpu.usage_us = **usage_ns / 1000;
  return cpu;
}

tl::expected<CgroupMemory, ParseError> memory_from_v1(const CgroupV1Files& files) {
  CgroupMemory memory{};
  const auto limit = number_from_file("memory.limit_in_bytes", files.limit_in_bytes);
  if (!limit) return tl::unexpected(limit.error());
  if (!*limit || **limit >= unlimited) return memory;
  const auto usage = number_from_file("memory.usage_in_bytes", files.usage_in_bytes);
  if (!usage) return tl::unexpected(usage.error());

  memory.limit_bytes = *limit;
  memory.current_bytes = *usage;
  // total_: with the sub-groups, as the usage is.
  memory.inactive_file_bytes = number_of_key(files.memory_stat, "total_inactive_file").value_or(0);
  return memory;
}

}  // namespace lvs::agent
