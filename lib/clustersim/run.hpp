#pragma once

// One run of a cluster under a policy: the event loop.

#include <cstdint>
#include <string>

#include "clustersim/policy.hpp"
#include "clustersim/scenario.hpp"
#include "clustersim/simulation.hpp"

namespace lvs::clustersim {

struct RunSettings {
  std::string scheduler{};  ///< one of is_scheduler()
  bool shortest_queue{};    ///< an oracle dispatches in place of the scheduler
  std::uint64_t seed{};
  double deadline_s{0.5};  ///< of a question to an agent
};

struct RunOutcome {
  RunResult result{};
  /// Mean time in the system in ms with what did not end well: requests in progress count with
  /// their time so far, failed ones with 10 s. Judges policies that overload a server.
  double cost_ms{};
};

RunOutcome run(const Scenario& scenario, const RunSettings& settings, WeightPolicy& policy);

}  // namespace lvs::clustersim
