#pragma once

// `monitorctl advise` for people and for programs. Pure.

#include <string>
#include <vector>

#include "monitorctl/advice.hpp"

namespace lvs::monitorctl {

/// A paragraph for each service, an empty line between them.
std::string advice_text(const std::vector<Advice>& all);

/// {"services": [{"service", "scheduler", "watched_s", "connections_per_second", "active",
/// "inactive", "connection_s", "steered", "findings": [{"id", "severity", "seen", "effect",
/// "advice", "commands", "configuration", "proposal": {"scheduler", "weights"} or null,
/// "simulated":
/// {"row", "outcome", "mean_ratio", "p95_ratio", "p99_ratio"} or null}], "nothing": a sentence or
/// null, "simulation": null or {"load", "requests_per_second", "duration_s", "seeds", "assumed",
/// "rows": [{"scheduler", "weights": {"10.0.0.11:80": 2}, "mean_ms", "p95_ms", "p99_ms", "failed",
/// "mean_ratio", "p95_ratio", "p99_ratio"}]}, "not_simulated": why, or null}]}. The first row is
/// what is there now; a finding's "row" is an index from 0 on.
std::string advice_json(const std::vector<Advice>& all);

}  // namespace lvs::monitorctl
