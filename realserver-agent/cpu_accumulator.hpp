#pragma once

// From the ticks of single CPUs, which come, go and step back, to sums that only grow.

#include <cstdint>
#include <map>
#include <string>

#include <tl/expected.hpp>

#include "agentproto/sample.hpp"
#include "realserver-agent/proc/stat.hpp"

namespace lvs::agent {

class CpuAccumulator {
 public:
  explicit CpuAccumulator(std::uint16_t user_hz) : user_hz_{user_hz} {}

  /// Adds what each CPU did since the last call: CPUs are matched by their number, one that is new
  /// adds nothing yet. No field steps back; idle and iowait step together, for the kernel may book
  /// a wait first as iowait and later as idle. The first call starts from the sums since boot.
  /// Fails, and changes nothing, when a CPU was idle for longer than the machine is up.
  tl::expected<agentproto::CpuTimes, std::string> add(const std::map<int, CpuTicks>& cpus,
                                                      std::uint64_t uptime_ns);

 private:
  std::uint16_t user_hz_;
  std::map<int, CpuTicks> last_{};
  agentproto::CpuTimes sums_{};
};

}  // namespace lvs::agent
