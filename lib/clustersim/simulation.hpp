#pragma once

// Runs one scenario under one strategy with one seed. Deterministic: the same arguments give the
// same result, bit for bit, on every machine with IEEE doubles.

#include <cstdint>
#include <string>
#include <vector>

#include "clustersim/scenario.hpp"
#include "monitord/config.hpp"

namespace lvs::clustersim {

/// State of the first service at the end of one cycle, for plots and tests.
struct SeriesPoint {
  double at_s{};
  std::vector<std::uint32_t> weights{};  ///< by server
  std::vector<double> cpu_busy{};        ///< C over the interval, by server
  std::vector<std::uint32_t> active{};   ///< active connections, by server
  double mean_ms{};                      ///< latency of the requests that ended in it; 0: none
};

struct RunResult {
  std::string scenario{}, scheduler{}, strategy{};
  std::uint64_t seed{};
  /// A request that its client gave up, or that was in progress at the end, counts with the time
  /// that it had taken: leaving those out would reward drowning servers. Latency of requests that
  /// arrived after the warm-up and ended before the end; all services.
  double mean_ms{}, p50_ms{}, p95_ms{}, p99_ms{};
  std::uint64_t arrived{};  ///< requests after the warm-up: completed + failed + unfinished
  std::uint64_t completed{}, failed{};
  std::vector<std::uint64_t> answered_by_server{};  ///< of `completed`, by the scenario's servers
  std::uint64_t unfinished{};  ///< still in the system at the end: more than a few mean overload
  double writes_per_server_minute{};  ///< weights written by the policy after the warm-up
  double settle_s{};     ///< from the last event (or the start) until the weights' shares stay
                         ///< within 10 % of their final ones
  double share_error{};  ///< mean over servers of |share of work - share of capacity| at the end
  std::vector<SeriesPoint> series{};
};

/// `strategy` is one of is_strategy(); `scheduler` replaces the scenario's own where not empty.
/// `config` holds the coefficients of monitord's strategies: its `defaults` are used, with the
/// strategy replaced. The very decide() and state_after_apply() of the daemon run inside.
RunResult simulate(const Scenario& scenario, const std::string& scheduler,
                   const std::string& strategy, std::uint64_t seed, const monitord::Config& config);

}  // namespace lvs::clustersim
