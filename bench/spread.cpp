#include "bench/spread.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lvs::bench {

double percentile_of(std::vector<double> samples, double share) {
  if (samples.empty()) return 0;
  std::ranges::sort(samples);
  const auto rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(samples.size()));
  return samples[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

Spread spread_of(const std::vector<double>& samples) {
  return {percentile_of(samples, 0.5), percentile_of(samples, 0.99), percentile_of(samples, 1)};
}

std::optional<double> growth_exponent(const Grown& from, const Grown& to) {
  const bool positive = from.size > 0 && from.figure > 0 && to.size > 0 && to.figure > 0;
  if (!positive || from.size == to.size) return std::nullopt;
  return std::log(to.figure / from.figure) / std::log(to.size / from.size);
}

}  // namespace lvs::bench
