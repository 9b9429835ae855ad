#pragma once

// Answers requests. No socket, no clock: a datagram and where it came from go in, at most one
// datagram comes out. It keeps nothing about an asker but its token bucket.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentproto/key.hpp"
#include "agentproto/sample.hpp"
#include "ipvs/types.hpp"
#include "realserver-agent/config/config.hpp"
#include "realserver-agent/responder/rate_limit.hpp"

namespace lvs::agent {

/// What became of a request, in the order of the checks, the cheap ones first.
enum class Outcome : std::size_t {
  bad_length,
  not_lfb1,  ///< wrong magic or type
  not_allowed,
  rate_limited,
  unknown_key,
  bad_mac,
  answered,
};
inline constexpr std::size_t outcome_count = 7;
/// "bad_length" …: for logs and metrics.
std::string_view string_from_outcome(Outcome outcome);

struct Answer {
  Outcome outcome{};
  std::vector<std::uint8_t> bytes{};  ///< empty unless answered: faults are met with silence
};

/// Threading: one thread. Monitoring: count().
class Responder {
 public:
  /// `keys` are not used with `security: none`.
  Responder(const Config& config, const std::vector<AgentKey>& keys);

  /// A new configuration; what was counted stays.
  void reconfigure(const Config& config, const std::vector<AgentKey>& keys);

  /// `asked` is the address that the request was sent to: the agent's name where it has no other.
  Answer answer(agentproto::Bytes datagram, const ipvs::IpAddress& source,
                const ipvs::IpAddress& asked, std::chrono::nanoseconds now,
                const agentproto::Sample& sample);

  [[nodiscard]] std::uint64_t count(Outcome outcome) const {
    return counts_[static_cast<std::size_t>(outcome)];
  }

 private:
  Answer judge(agentproto::Bytes datagram, const ipvs::IpAddress& source,
               const ipvs::IpAddress& asked, std::chrono::nanoseconds now,
               const agentproto::Sample& sample);

  bool keyless_;
  std::optional<std::string> name_;
  std::vector<Prefix> allow_;
  std::map<std::uint32_t, agentproto::MacKey> keys_{};
  RateLimit rate_limit_;
  std::array<std::uint64_t, outcome_count> counts_{};
};

}  // namespace lvs::agent
