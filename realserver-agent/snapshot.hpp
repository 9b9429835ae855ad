#pragma once

// Everything that was read of one root directory at one moment, parsed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentproto/sample.hpp"
#include "realserver-agent/proc/diskstats.hpp"
#include "realserver-agent/proc/stat.hpp"

namespace lvs::agent {

/// Something that could not be trusted, and so is left out.
struct Problem {
  enum class Kind { time, boot_id, cpu, memory, pressure, run_queue, network, disk };
  Kind kind{};
  std::string text{};

  friend bool operator==(const Problem&, const Problem&) = default;
};

struct Snapshot {
  std::uint64_t boottime_ns{};  ///< when /proc/stat was read
  agentproto::BootId boot_id{};
  bool draining{};
  std::optional<StatFile> stat{};
  std::optional<agentproto::Memory> memory{};
  std::optional<agentproto::Pressure> pressure{};
  std::optional<agentproto::RunQueue> run_queue{};
  std::optional<agentproto::Network> network{};
  std::optional<DiskTimes> disks{};  ///< whole disks only
  std::optional<std::uint32_t> processes{};
  /// Empty: no limits. A limit that is there but cannot be used is a problem, and the measure that
  /// it would rule is empty above.
  std::optional<agentproto::CgroupLimits> cgroup{};
  std::vector<Problem> problems{};

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

}  // namespace lvs::agent
