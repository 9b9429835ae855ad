#pragma once

// The agent's own code on this machine: what a snapshot and what an answer cost.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "agentproto/key.hpp"
#include "realserver-agent/responder/responder.hpp"
#include "realserver-agent/root.hpp"
#include "realserver-agent/sampler.hpp"

namespace lvs::bench {

class AgentParts {
 public:
  AgentParts();

  /// Reads everything that an agent tells of and makes the sample of it.
  void take_sample();
  /// Answers a request with the last sample, as to a director. Throws std::runtime_error when it
  /// does not.
  void answer();

  /// Bytes that were answered, so that nobody optimises the answers away.
  [[nodiscard]] std::size_t answered() const { return answered_; }

 private:
  agent::Root root_{"/"};
  agent::Sampler sampler_;
  agent::Responder responder_;
  std::vector<std::uint8_t> request_;
  std::uint64_t asked_{};
  std::size_t answered_{};
};

}  // namespace lvs::bench
