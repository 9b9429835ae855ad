// Any text as any of the kernel's files; the first byte chooses.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "realserver-agent/cgroup/cgroup_v1.hpp"
#include "realserver-agent/cgroup/cgroup_v2.hpp"
#include "realserver-agent/cpu_accumulator.hpp"
#include "realserver-agent/proc/boot_id.hpp"
#include "realserver-agent/proc/cpu_list.hpp"
#include "realserver-agent/proc/diskstats.hpp"
#include "realserver-agent/proc/loadavg.hpp"
#include "realserver-agent/proc/meminfo.hpp"
#include "realserver-agent/proc/net_dev.hpp"
#include "realserver-agent/proc/pressure.hpp"
#include "realserver-agent/proc/stat.hpp"
#include "realserver-agent/proc/uptime.hpp"
#include "require.hpp"

using namespace lvs::agent;
using lvs::fuzz::require;

namespace {

/// In two pieces and whole: the same result.
void fuzz_stat(std::string_view text) {
  const auto whole = stat_from_text(text);
  StatScanner scanner;
  if (scanner.feed(text.substr(0, text.size() / 2))) scanner.feed(text.substr(text.size() / 2));
  require(scanner.finish() == whole);
  require(scanner.held() < 1024);
  if (!whole) return;
  CpuAccumulator accumulator{100};
  accumulator.add(whole->cpus, 1'000'000'000);
}

void fuzz_meminfo(std::string_view text) {
  const auto file = meminfo_from_text(text);
  const auto reserve = reserve_pages_from_zoneinfo(text);
  if (!file) return;
  const auto memory = memory_from_meminfo(*file, reserve);
  if (memory) require(memory->available_kb <= memory->total_kb);
}

void fuzz_cgroup(std::string_view text) {
  const std::string file{text};
  const Machine machine{.online_cpus = 4, .memory_kb = 1000};
  if (const auto cpu = cpu_from_v2({.cpu_max = file, .cpuset_cpus_effective = file})) {
    cpu_limit_x1000(*cpu, machine);
  }
  if (const auto cpu = cpu_from_v1({.cfs_quota_us = file, .cfs_period_us = "100000"})) {
    cpu_limit_x1000(*cpu, machine);
  }
  const auto memory =
      memory_from_v2({.memory_max = file, .memory_current = file, .memory_stat = file});
  if (memory) require(memory_limit_kb(*memory, machine) <= machine.memory_kb);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  switch (data[0] % 8) {
    case 0:
      fuzz_stat(text);
      break;
    case 1:
      fuzz_meminfo(text);
      break;
    case 2:
      fuzz_cgroup(text);
      break;
    case 3:
      interfaces_from_text(text);
      break;
    case 4:
      disk_times_from_text(text);
      break;
    case 5:
      pressure_from_text("/proc/pressure/cpu", text);
      break;
    case 6:
      loadavg_from_text(text);
      uptime_ns_from_text(text);
      break;
    default:
      boot_id_from_text(text);
      count_of_cpu_list(text);
      allowed_cpus_from_status(text);
  }
  return 0;
}
