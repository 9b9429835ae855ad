#pragma once

// What an agent says: raw counters at one moment. No sockets, no clock.

#include <array>
#include <cstdint>
#include <optional>

namespace lvs::agentproto {

using BootId = std::array<std::uint8_t, 16>;

/// CPU time since boot in ticks of 1/user_hz s, summed over the online CPUs in monotone steps
/// (proc(5), /proc/stat). guest is within user, guest_nice within nice.
struct CpuTimes {
  std::uint16_t cpus{};
  std::uint16_t user_hz{100};
  std::uint64_t user{}, nice{}, system{}, idle{}, iowait{}, irq{}, softirq{}, steal{};

  [[nodiscard]] std::uint64_t not_busy() const { return idle + iowait; }
  [[nodiscard]] std::uint64_t total() const {
    return user + nice + system + idle + iowait + irq + softirq + steal;
  }
  friend bool operator==(const CpuTimes&, const CpuTimes&) = default;
};

/// kB, with the corrections for huge pages and a missing MemAvailable already made.
struct Memory {
  std::uint64_t total_kb{}, available_kb{}, swap_total_kb{}, swap_free_kb{};
  friend bool operator==(const Memory&, const Memory&) = default;
};

/// Pressure stall totals in microseconds (/proc/pressure).
struct Pressure {
  std::uint64_t cpu_some_us{}, memory_some_us{}, memory_full_us{}, io_some_us{}, io_full_us{};
  friend bool operator==(const Pressure&, const Pressure&) = default;
};

/// /proc/loadavg and /proc/stat.
struct RunQueue {
  std::uint32_t load1_x100{}, procs_running{}, procs_blocked{};
  friend bool operator==(const RunQueue&, const RunQueue&) = default;
};

/// Physical interfaces summed; line rate 0 = unknown.
struct Network {
  std::uint64_t received_bytes{}, sent_bytes{}, line_rate_bits{};
  friend bool operator==(const Network&, const Network&) = default;
};

/// Limits of the container that the agent lives in; each 0 = no limit.
struct CgroupLimits {
  std::uint64_t usage_us{}, cpus_x1000{}, memory_limit_kb{}, memory_used_kb{};
  friend bool operator==(const CgroupLimits&, const CgroupLimits&) = default;
};

/// One answer's content. A measure that the agent could not trust is absent and `partial` is set.
struct Sample {
  std::uint64_t boottime_ns{};  ///< agent's CLOCK_BOOTTIME when /proc/stat was read
  BootId boot_id{};
  bool draining{}, first{}, partial{};
  std::optional<CpuTimes> cpu{};
  std::optional<Memory> memory{};
  std::optional<Pressure> pressure{};
  std::optional<RunQueue> run_queue{};
  std::optional<Network> network{};
  std::optional<std::uint64_t> disk_busy_ms{};  ///< I/O time of the busiest whole disk
  std::optional<std::uint32_t> processes{};
  std::optional<CgroupLimits> cgroup{};

  friend bool operator==(const Sample&, const Sample&) = default;
};

}  // namespace lvs::agentproto
