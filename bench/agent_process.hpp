#pragma once

// realserver-agent itself, asked over UDP.

#include <chrono>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "agentproto/key.hpp"
#include "bench/child.hpp"
#include "plainfile/file_descriptor.hpp"
#include "tests/support/scratch_folder.hpp"

namespace lvs::bench {

class AgentProcess {
 public:
  /// The least that the agent takes.
  static constexpr std::chrono::milliseconds sample_interval{100};

  /// Starts `program` on a free port of 127.0.0.1 and waits until it answers. Throws
  /// std::runtime_error where it does not.
  explicit AgentProcess(const std::string& program);

  /// Asks once each sample_interval, `readings` (> 0) times; CPU seconds of the agent for each:
  /// one snapshot, one answer, and the system calls around them. Throws std::runtime_error when it
  /// stops answering.
  double cpu_s_per_reading(unsigned readings);

 private:
  [[nodiscard]] double cpu_s() const;
  /// Whether the agent answers within half a second.
  bool ask();

  testing::ScratchFolder folder_{};
  std::uint16_t port_;
  FileDescriptor socket_;
  agentproto::MacKey key_;
  Child child_;
  std::uint64_t nonce_{};
};

}  // namespace lvs::bench
