#pragma once

// Results of simulations for people and for programs. Pure.

#include <optional>
#include <string>
#include <vector>

#include "clustersim/scenario.hpp"
#include "clustersim/summary.hpp"

namespace lvs::monitorctl {

/// Mean latency of `summary` over that of `equal` in the same scenario under the same scheduler;
/// empty where that was not run or finished nothing.
std::optional<double> ratio_to_equal(const clustersim::Summary& summary,
                                     const std::vector<clustersim::Summary>& summaries);

/// A table per scenario and scheduler, medians over the seeds. `scenarios` says more about those
/// that are named in `summaries`.
std::string simulation_text(const std::vector<clustersim::Summary>& summaries,
                            const std::vector<clustersim::Scenario>& scenarios);

/// {"results": [{"scenario", "scheduler", "strategy", "mean_ms", "p50_ms", "p95_ms", "p99_ms",
/// "failed", "writes_per_server_minute", "settle_s", "share_error", "arrived", "unfinished",
/// "calm_s", "ratio_to_equal", "runs": [{"seed", the same figures, "answered_by_server"}]}]}.
/// Medians over the seeds.
std::string simulation_json(const std::vector<clustersim::Summary>& summaries);

}  // namespace lvs::monitorctl
