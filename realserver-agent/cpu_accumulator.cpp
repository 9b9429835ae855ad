#include "realserver-agent/cpu_accumulator.hpp"

#include <optional>
#include <string>

namespace lvs::agent {
namespace {

/// Most CPUs of a kernel (NR_CPUS on x86): bounds the summary line, whose number of CPUs is
/// not known.
constexpr std::uint64_t most_cpus = 8192;

/// Ticks that no CPU can have been idle for. A second and 1 % more than the uptime: ticks are
/// rounded, and the uptime's clock is slewed by NTP while the ticks are not.
std::uint64_t impossible_ticks(int cpu, std::uint64_t uptime_ns, std::uint64_t user_hz) {
  const std::uint64_t uptime_ms = uptime_ns / 1'000'000;
  const std::uint64_t ticks = (uptime_ms + uptime_ms / 100 + 1000) * user_hz / 1000;
  return cpu == all_cpus ? ticks * most_cpus : ticks;
}

bool is_impossible(const CpuTicks& ticks, std::uint64_t limit) {
  return ticks.idle > limit || ticks.iowait > limit || ticks.idle + ticks.iowait > limit;
}

std::optional<int> impossible_cpu(const std::map<int, CpuTicks>& cpus, std::uint64_t uptime_ns,
                                  std::uint64_t user_hz) {
  for (const auto& [cpu, ticks] : cpus) {
    if (is_impossible(ticks, impossible_ticks(cpu, uptime_ns, user_hz))) return cpu;
  }
  return std::nullopt;
}

std::uint64_t step(std::uint64_t before, std::uint64_t after) {
  return after > before ? after - before : 0;
}

CpuTicks step(const CpuTicks& before, const CpuTicks& after) {
  CpuTicks steps{.user = step(before.user, after.user),
                 .nice = step(before.nice, after.nice),
                 .system = step(before.system, after.system),
                 .idle = step(before.idle, after.idle),
                 .iowait = step(before.iowait, after.iowait),
                 .irq = step(before.irq, after.irq),
                 .softirq = step(before.softirq, after.softirq),
                 .steal = step(before.steal, after.steal)};
  if (after.iowait < before.iowait || after.idle < before.idle) {
    // Their common step, whichever of the two it came from.
    steps.idle = step(before.idle + before.iowait, after.idle + after.iowait);
    steps.iowait = 0;
  }
  return steps;
}

void add_to(agentproto::CpuTimes& sums, const CpuTicks& ticks) {
  sums.user += ticks.user;
  sums.nice += ticks.nice;
  sums.system += ticks.system;
  sums.idle += ticks.idle;
  sums.iowait += ticks.iowait;
  sums.irq += ticks.irq;
  sums.softirq += ticks.softirq;
  sums.steal += ticks.steal;
}

std::string idle_beyond_uptime(int cpu, const CpuTicks& ticks, std::uint64_t uptime_ns) {
  const std::string name = cpu == all_cpus ? "cpu" : "cpu" + std::to_string(cpu);
  return name + " was idle for " + std::to_string(ticks.idle) + " ticks and waited for " +
         std::to_string(ticks.iowait) + ", which is longer than the " +
         std::to_string(uptime_ns / 1'000'000'000) + " s since boot";
}

}  // namespace

tl::expected<agentproto::CpuTimes, std::string> CpuAccumulator::add(
    const std::map<int, CpuTicks>& cpus, std::uint64_t uptime_ns) {
  if (const auto cpu = impossible_cpu(cpus, uptime_ns, user_hz_)) {
    return tl::unexpected(idle_beyond_uptime(*cpu, cpus.at(*cpu), uptime_ns));
  }
  const bool is_first = last_.empty();
  for (const auto& [cpu, ticks] : cpus) {
    const auto before = last_.find(cpu);
    if (is_first) {
      add_to(sums_, ticks);
    } else if (before != last_.end()) {
      add_to(sums_, step(before->second, ticks));
    }
  }
  last_ = cpus;
  sums_.cpus = static_cast<std::uint16_t>(cpus.size());
  sums_.user_hz = user_hz_;
  return sums_;
}

}  // namespace lvs::agent
