#include "agentproto/reading.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "agentproto/further_reading.hpp"
#include "agentproto/sample.hpp"

namespace lvs::agentproto {
namespace {

/// A measure, or why it is unknown.
using Measure = tl::expected<double, std::string>;

tl::unexpected<std::string> unknown(std::string_view why) {
  return tl::unexpected<std::string>{std::string{why}};
}

double share(double part, double whole) {
  return std::clamp(part / whole, 0.0, 1.0);
}

bool went_back(const CpuTimes& before, const CpuTimes& after) {
  return after.user < before.user || after.nice < before.nice || after.system < before.system ||
         after.not_busy() < before.not_busy() || after.irq < before.irq ||
         after.softirq < before.softirq || after.steal < before.steal;
}

/// An agent that was restarted starts its sums anew from the CPUs then online. If their number
/// changed meanwhile, the sums jump by whole lifetimes of a CPU; more ticks than could have passed
/// tell. Twice the time and a second more are allowed for accounting that lags behind.
bool is_jump(const Sample& before, const Sample& after, std::uint64_t ticks) {
  if (before.cpu->cpus == after.cpu->cpus) return false;
  const double seconds = static_cast<double>(after.boottime_ns - before.boottime_ns) / 1e9;
  const double cpus = std::max(before.cpu->cpus, after.cpu->cpus);
  return static_cast<double>(ticks) > (2 * seconds + 1) * cpus * after.cpu->user_hz;
}

Measure busy_by_ticks(const Sample& before, const Sample& after) {
  if (!before.cpu || !after.cpu) return unknown("no CPU counters that can be trusted");
  if (went_back(*before.cpu, *after.cpu)) return unknown("a CPU counter went back");
  const std::uint64_t total = after.cpu->total() - before.cpu->total();
  if (total == 0) return unknown("no tick passed between the samples");
  if (is_jump(before, after, total)) return unknown("the CPU counters were set anew");
  const std::uint64_t not_busy = after.cpu->not_busy() - before.cpu->not_busy();
  return share(static_cast<double>(total - not_busy), static_cast<double>(total));
}

Measure busy_by_cgroup(const Sample& before, const Sample& after) {
  if (!before.cgroup) return unknown("the CPU limit is new");
  if (after.cgroup->usage_us < before.cgroup->usage_us) {
    return unknown("the cgroup's CPU time went back");
  }
  if (after.boottime_ns == before.boottime_ns) {
    return unknown("no time passed between the samples");
  }
  const double usage_us = static_cast<double>(after.cgroup->usage_us - before.cgroup->usage_us);
  const double passed_us = static_cast<double>(after.boottime_ns - before.boottime_ns) / 1e3;
  return share(usage_us, passed_us * static_cast<double>(after.cgroup->cpus_x1000) / 1e3);
}

Measure cpu_busy(const Sample& before, const Sample& after) {
  if (before.boot_id != after.boot_id) return unknown("the real server was restarted");
  if (after.boottime_ns < before.boottime_ns) return unknown("the samples are out of order");
  if (after.cgroup && after.cgroup->cpus_x1000 != 0) return busy_by_cgroup(before, after);
  return busy_by_ticks(before, after);
}

Measure mem_available(const Sample& sample) {
  if (sample.cgroup && sample.cgroup->memory_limit_kb != 0) {
    const auto limit = static_cast<double>(sample.cgroup->memory_limit_kb);
    return share(limit - static_cast<double>(sample.cgroup->memory_used_kb), limit);
  }
  if (!sample.memory || sample.memory->total_kb == 0) {
    return unknown("no memory figures that can be trusted");
  }
  return share(static_cast<double>(sample.memory->available_kb),
               static_cast<double>(sample.memory->total_kb));
}

/// Takes the value; adds the reason where there is none.
std::optional<double> value_or_reason(const Measure& measure, std::string& reasons) {
  if (measure) return *measure;
  if (!reasons.empty()) reasons += "; ";
  reasons += measure.error();
  return std::nullopt;
}

}  // namespace

Measured measured_from_samples(const Sample& before, const Sample& after) {
  Measured measured{};
  measured.cpu_busy = value_or_reason(cpu_busy(before, after), measured.reason);
  measured.mem_available = value_or_reason(mem_available(after), measured.reason);
  measured.further = further_from_samples(before, after);
  return measured;
}

}  // namespace lvs::agentproto
