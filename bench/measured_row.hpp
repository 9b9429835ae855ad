#pragma once

// A figure beside the reference that was measured in the same run: a row of bench/run. Pure.

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lvs::bench {

/// What a ratio is held to.
struct Bar {
  enum class Kind { at_most, at_least };
  Kind kind{Kind::at_most};
  double limit{};

  friend bool operator==(const Bar&, const Bar&) = default;
};

/// Samples of one thing: they are told apart from the one figure that stands for them.
struct Measured {
  std::string name{};
  std::vector<double> samples{};  ///< in the row's unit

  friend bool operator==(const Measured&, const Measured&) = default;
};

struct MeasuredRow {
  int number{};  ///< of bench/run, 1 to 6
  std::string unit{};
  Measured measured{};
  Measured reference{};
  std::optional<Bar> bar{};  ///< of the ratio; none: told for information
  std::string note{};

  friend bool operator==(const MeasuredRow&, const MeasuredRow&) = default;
};

/// 0 of nothing.
double median_of(std::vector<double> samples);

/// Median of the measured by the median of the reference; empty where the reference is 0.
std::optional<double> ratio_of(const MeasuredRow& row);

/// Empty without a bar or a ratio.
std::optional<bool> is_met(const MeasuredRow& row);

/// {"rows": [...]}, as bench/run reads it from every program.
std::string rows_json(std::span<const MeasuredRow> rows);
/// A line each.
std::string rows_text(std::span<const MeasuredRow> rows);

}  // namespace lvs::bench
