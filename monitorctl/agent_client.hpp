#pragma once

// Asks one agent over LFB1 (UDP), as the daemon does.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "agentproto/key.hpp"
#include "agentproto/sample.hpp"
#include "monitorctl/endpoint.hpp"

namespace lvs::monitorctl {

struct AgentQuestion {
  Endpoint endpoint{};
  std::string name{};  ///< of the agent; its reply must carry the hash of it
  std::uint32_t key_id{};
  std::optional<agentproto::Key> key{};  ///< empty: keyless
  std::chrono::milliseconds deadline{500};
};

struct AgentAnswer {
  agentproto::Sample sample{};
  std::chrono::microseconds round_trip{};
};

enum class AgentFailure {
  bad_host,    ///< the name does not resolve
  refused,     ///< the host says that nothing listens there (ICMP)
  no_route,    ///< the question could not be sent
  silent,      ///< nothing came within the deadline, twice
  wrong_name,  ///< a genuine reply of another agent
  bad_reply,   ///< only replies came that fail the MAC or the format
};

struct AgentError {
  AgentFailure kind{};
  std::string detail{};  ///< the system's or the codec's words; may be empty
};

/// Sends the question at most twice; each waits for the deadline. Blocks meanwhile.
tl::expected<AgentAnswer, AgentError> ask_agent(const AgentQuestion& question);

}  // namespace lvs::monitorctl
