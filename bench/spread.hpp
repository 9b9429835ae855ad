#pragma once

// How samples spread, and how a figure grows with the size of what it was measured on. Pure.

#include <optional>
#include <vector>

namespace lvs::bench {

/// In the samples' unit.
struct Spread {
  double p50{}, p99{}, max{};

  friend bool operator==(const Spread&, const Spread&) = default;
};

/// Nearest rank: the least sample that `share` (0..1) of all do not exceed; 0 of nothing.
double percentile_of(std::vector<double> samples, double share);

Spread spread_of(const std::vector<double>& samples);

/// A figure that was measured on something of a size.
struct Grown {
  double size{}, figure{};
};

/// k of figure = c * size^k through both points: 1 is linear, 2 quadratic. Empty where a number is
/// not above 0, or both sizes are the same.
std::optional<double> growth_exponent(const Grown& from, const Grown& to);

}  // namespace lvs::bench
