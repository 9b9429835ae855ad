#pragma once

#include <cstddef>
#include <vector>

#include "bench/measured_row.hpp"
#include "bench/table_rules.hpp"

namespace lvs::bench {

/// How a table is written: every destination of it gets another weight, by those ways that start a
/// process for each the first `slow_changes` only, and their times are extrapolated.
struct WritingPlan {
  TableShape shape{};
  std::size_t slow_changes{};
};

/// Row 3 of bench/run. Every way is tried once in each of `rounds` rounds. After each the table is
/// read and compared: all weights are what was ordered, and nothing else has changed. Throws
/// std::runtime_error where that does not hold.
std::vector<MeasuredRow> writing_rows(const WritingPlan& plan, std::size_t rounds);

}  // namespace lvs::bench
