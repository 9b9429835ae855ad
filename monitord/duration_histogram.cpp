#include "monitord/duration_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lvs::monitord {

void DurationHistogram::add(double seconds) {
  const auto bound = std::ranges::lower_bound(bounds, seconds);
  ++counts[static_cast<std::size_t>(bound - bounds.begin())];
  sum_s += seconds;
}

std::uint64_t DurationHistogram::count() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double DurationHistogram::quantile(double share) const {
  const auto wanted = share * static_cast<double>(count());
  if (wanted <= 0) return 0;
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    so_far += counts[i];
    if (static_cast<double>(so_far) >= wanted) return bounds[i];
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace lvs::monitord
