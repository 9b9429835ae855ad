#pragma once

// What monitord costs by the number of real servers, for people and for programs. Pure.

#include <string>

#include "bench/scale_rows.hpp"

namespace lvs::bench {

/// A line a size, a line for each step between neighbours with its exponents, a line a bar.
std::string scale_text(const ScaleRounds& rounds);

/// {"rows":[…],"scale":[…],"growth":[{"from":1000,"to":10000,"cpu_times":…,"cpu_exponent":…,
///  "cycle_exponent":…,"rss_exponent":…}]}
/// `rows` is what bench/run reads: those of the sizes, then the bars.
std::string scale_json(const ScaleRounds& rounds);

}  // namespace lvs::bench
