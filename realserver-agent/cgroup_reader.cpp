#include "realserver-agent/cgroup_reader.hpp"

#include <string>
#include <string_view>

#include "realserver-agent/cgroup/cgroup_v1.hpp"
#include "realserver-agent/cgroup/cgroup_v2.hpp"

namespace lvs::agent {
namespace {

const std::string mount = "sys/fs/cgroup/";

/// Version 1 mounts each controller apart, some under two names.
std::optional<std::string> read_v1(const Root& root, std::string_view controllers,
                                   std::string_view file) {
  return root.read_if_there((mount + std::string{controllers}).append("/").append(file));
}

std::optional<std::string> read_v1_cpu(const Root& root, std::string_view file) {
  for (const std::string_view controllers : {"cpu", "cpu,cpuacct", "cpuacct", "cpuacct,cpu"}) {
    if (auto text = read_v1(root, controllers, file)) return text;
  }
  return std::nullopt;
}

/// The file that marks version 2 (or, beside version 1 controllers, does not exist there).
bool is_v2(const Root& root) {
  return root.exists(mount + "cgroup.controllers");
}

tl::expected<CgroupCpu, ParseError> read_cpu(const Root& root) {
  if (is_v2(root)) {
    return cpu_from_v2(
        {.cgroup_type = root.read_if_there(mount + "cgroup.type"),
         .cpu_max = root.read_if_there(mount + "cpu.max"),
         .cpu_stat = root.read_if_there(mount + "cpu.stat"),
         .cpuset_cpus = root.read_if_there(mount + "cpuset.cpus"),
         .cpuset_cpus_effective = root.read_if_there(mount + "cpuset.cpus.effective")});
  }
  return cpu_from_v1({.cfs_quota_us = read_v1_cpu(root, "cpu.cfs_quota_us"),
                      .cfs_period_us = read_v1_cpu(root, "cpu.cfs_period_us"),
                      .cpuacct_usage = read_v1_cpu(root, "cpuacct.usage"),
                      .cpuset_cpus = read_v1(root, "cpuset", "cpuset.cpus"),
                      .effective_cpus = read_v1(root, "cpuset", "cpuset.effective_cpus")});
}

tl::expected<CgroupMemory, ParseError> read_memory(const Root& root) {
  if (is_v2(root)) {
    return memory_from_v2({.memory_max = root.read_if_there(mount + "memory.max"),
                           .memory_current = root.read_if_there(mount + "memory.current"),
                           .memory_stat = root.read_if_there(mount + "memory.stat")});
  }
  return memory_from_v1({.limit_in_bytes = read_v1(root, "memory", "memory.limit_in_bytes"),
                         .usage_in_bytes = read_v1(root, "memory", "memory.usage_in_bytes"),
                         .memory_stat = read_v1(root, "memory", "memory.stat")});
}

}  // namespace

tl::expected<CpuLimit, ParseError> read_cpu_limit(const Root& root, const Machine& machine) {
  const auto cpu = read_cpu(root);
  if (!cpu) return tl::unexpected(cpu.error());
  const std::uint64_t cpus_x1000 = cpu_limit_x1000(*cpu, machine);
  if (cpus_x1000 == 0) return CpuLimit{};
  if (!cpu->usage_us) return parse_error("cpu.stat", "no CPU time for the limit");
  return CpuLimit{.usage_us = *cpu->usage_us, .cpus_x1000 = cpus_x1000};
}

tl::expected<MemoryLimit, ParseError> read_memory_limit(const Root& root, const Machine& machine) {
  const auto memory = read_memory(root);
  if (!memory) return tl::unexpected(memory.error());
  const std::uint64_t limit_kb = memory_limit_kb(*memory, machine);
  if (limit_kb == 0) return MemoryLimit{};
  const auto used_kb = memory_used_kb(*memory);
  if (!used_kb) return parse_error("memory.current", "no use for the limit");
  return MemoryLimit{.limit_kb = limit_kb, .used_kb = *used_kb};
}

}  // namespace lvs::agent
