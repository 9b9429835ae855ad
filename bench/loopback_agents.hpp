#pragma once

// The agents of the real servers on loopback: what they answer to a request. No socket, no clock.
//
// Threading: one thread.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "agentproto/key.hpp"

namespace lvs::bench {

class LoopbackAgents {
 public:
  /// Each goes by its address, as agents without a name do. `swing`: see sample_of().
  LoopbackAgents(std::size_t servers, double swing);

  [[nodiscard]] std::size_t size() const { return agents_.size(); }

  /// The reply of agent `server`, below size(); empty where the request is none or has another key.
  [[nodiscard]] std::vector<std::uint8_t> answer(agentproto::Bytes request, std::size_t server,
                                                 std::uint64_t now_ns) const;

 private:
  struct Agent {
    agentproto::MacKey key;
    agentproto::NameHash name_hash{};
  };

  std::vector<Agent> agents_{};
  double swing_;
};

}  // namespace lvs::bench
