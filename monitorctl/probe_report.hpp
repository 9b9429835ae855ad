#pragma once

// What `monitorctl probe` says of an agent's two answers, or of their absence. Pure.

#include <string>

#include "agentproto/reading.hpp"
#include "agentproto/sample.hpp"
#include "monitorctl/agent_client.hpp"

namespace lvs::monitorctl {

struct ProbeReport {
  std::string target{};  ///< "10.0.0.11:6353"
  std::string name{};
  double round_trip_ms{};
  agentproto::Sample before{}, after{};
};

std::string probe_text(const ProbeReport& report);
/// One JSON object and a newline; unknown values are null.
std::string probe_json(const ProbeReport& report);

/// What happened and what to check, for people.
std::string probe_failure_text(const AgentError& error, const AgentQuestion& question);

}  // namespace lvs::monitorctl
