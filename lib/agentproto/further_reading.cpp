#include "agentproto/further_reading.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace lvs::agentproto {
namespace {

using Share = std::optional<double>;

/// The files are read one after the other, so a share may come out somewhat above 1. Beyond this
/// the counter does not continue what it counted before.
constexpr double largest_share = 2;

/// By how much a counter grew, as a share of `whole`.
Share grown_share(std::uint64_t before, std::uint64_t after, double whole) {
  if (after < before || whole <= 0) return std::nullopt;
  const double share = static_cast<double>(after - before) / whole;
  if (share > largest_share) return std::nullopt;
  return std::min(share, 1.0);
}

/// Seconds between the samples; 0 when their counters cannot be compared.
double comparable_seconds(const Sample& before, const Sample& after) {
  if (before.boot_id != after.boot_id || after.boottime_ns <= before.boottime_ns) return 0;
  return static_cast<double>(after.boottime_ns - before.boottime_ns) / 1e9;
}

Share network_utilisation(const Sample& before, const Sample& after, double seconds) {
  if (!before.network || !after.network) return std::nullopt;
  const Network& from = *before.network;
  const Network& to = *after.network;
  if (from.line_rate_bits != to.line_rate_bits) return std::nullopt;
  const double line_bytes = static_cast<double>(to.line_rate_bits) / 8 * seconds;
  const Share received = grown_share(from.received_bytes, to.received_bytes, line_bytes);
  const Share sent = grown_share(from.sent_bytes, to.sent_bytes, line_bytes);
  if (!received || !sent) return std::nullopt;
  return std::max(*received, *sent);
}

Share load_per_cpu(const Sample& sample) {
  if (!sample.run_queue || !sample.cpu || sample.cpu->cpus == 0) return std::nullopt;
  return sample.run_queue->load1_x100 / 100.0 / sample.cpu->cpus;
}

void set_pressures(const Sample& before, const Sample& after, double seconds,
                   loadcalc::FurtherMeasures& measures) {
  if (!before.pressure || !after.pressure) return;
  const Pressure& from = *before.pressure;
  const Pressure& to = *after.pressure;
  const double passed_us = seconds * 1e6;
  measures.cpu_pressure = grown_share(from.cpu_some_us, to.cpu_some_us, passed_us);
  measures.memory_pressure = grown_share(from.memory_some_us, to.memory_some_us, passed_us);
  measures.io_pressure = grown_share(from.io_some_us, to.io_some_us, passed_us);
}

}  // namespace

loadcalc::FurtherMeasures further_from_samples(const Sample& before, const Sample& after) {
  const double seconds = comparable_seconds(before, after);
  loadcalc::FurtherMeasures measures;
  measures.network_utilisation = network_utilisation(before, after, seconds);
  if (before.disk_busy_ms && after.disk_busy_ms) {
    measures.disk_utilisation =
        grown_share(*before.disk_busy_ms, *after.disk_busy_ms, seconds * 1e3);
  }
  if (after.processes) measures.processes = *after.processes;
  measures.load_per_cpu = load_per_cpu(after);
  set_pressures(before, after, seconds, measures);
  return measures;
}

}  // namespace lvs::agentproto
