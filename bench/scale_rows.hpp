#pragma once

// What monitord costs by the number of real servers as rows of bench/run. Pure.

#include <vector>

#include "bench/measured_row.hpp"
#include "bench/scale_row.hpp"

namespace lvs::bench {

/// Measurements of several sizes, several of a size, in any order.
using ScaleRounds = std::vector<ScaleRow>;

/// One row a size, the smallest first.
std::vector<ScaleRow> rows_by_size(const ScaleRounds& rounds);

/// For each size CPU, CPU per poll, memory, cycles and lateness, beside those of the size before.
std::vector<MeasuredRow> size_rows(const ScaleRounds& rounds);

/// What 10,000 servers may cost, and how much more than 1,000 that may be. Always the same rows; a
/// size that was not measured leaves them without a ratio.
std::vector<MeasuredRow> bar_rows(const ScaleRounds& rounds);

}  // namespace lvs::bench
