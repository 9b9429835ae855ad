#pragma once

// From snapshots to the sample that every asker gets. No clock: whoever owns it calls take().

#include <cstdint>
#include <vector>

#include "agentproto/sample.hpp"
#include "realserver-agent/cpu_accumulator.hpp"
#include "realserver-agent/disk_accumulator.hpp"
#include "realserver-agent/snapshot.hpp"

namespace lvs::agent {

class Sampler {
 public:
  explicit Sampler(std::uint16_t user_hz) : cpu_{user_hz} {}

  /// Takes the next snapshot in. Where no tick passed since the last one, that one's CPU times
  /// stand, with their own moment. `line_rate_bits`, where it is not 0, is the operator's word over
  /// the kernel's, which knows none for most virtual machines.
  const agentproto::Sample& take(const Snapshot& snapshot, std::uint64_t line_rate_bits = 0);

  /// The last finished sample: the same for everybody who asks between two snapshots.
  [[nodiscard]] const agentproto::Sample& last() const { return last_; }
  /// What is missing in it, and why.
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  CpuAccumulator cpu_;
  DiskAccumulator disk_{};
  agentproto::Sample last_{};
  std::vector<Problem> problems_{};
  bool started_{};
};

}  // namespace lvs::agent
