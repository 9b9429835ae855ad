#pragma once

// What the bars say, for people and for programs. Pure.

#include <string>
#include <vector>

#include "bench/bars.hpp"

namespace lvs::bench {

/// A line per bar with how often it was reached and its worst case, then every miss.
std::string bars_text(const std::vector<Check>& checks);

/// {"reached": N, "checked": N, "bars": [{"bar", "scenario", "scheduler", "value", "limit",
/// "oracle", "verdict": "reached|missed|not_run"}]}
std::string bars_json(const std::vector<Check>& checks);

}  // namespace lvs::bench
