#include "loadcalc/measures.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace lvs::loadcalc {

double composite_load(const Measures& measures, const CompositeShares& shares) {
  if (std::isnan(measures.cpu_occupancy) || std::isnan(measures.free_memory_rate)) return 0.0;

  auto const spare_cpu = 1.0 - std::clamp(measures.cpu_occupancy, 0.0, 1.0);
  auto const free_memory = std::clamp(measures.free_memory_rate, 0.0, 1.0);
  // Divided by the sum, so that a share of 0 takes its resource out and dilutes nothing.
  auto const sum = shares.cpu + shares.memory;
  auto const usable = std::isfinite(sum) && sum > 0.0 && shares.cpu >= 0.0 && shares.memory >= 0.0;
  if (!usable) return composite_load(measures, CompositeShares{});
  return std::clamp((shares.cpu * spare_cpu + shares.memory * free_memory) / sum, 0.0, 1.0);
}

std::vector<double> input_index(std::span<const std::uint64_t> new_connections) {
  std::vector<double> index(new_connections.size(), 1.0);
  auto const total = std::accumulate(
      new_connections.begin(), new_connections.end(), 0.0,
      [](double sum, std::uint64_t count) { return sum + static_cast<double>(count); });
  if (total <= 0.0) return index;

  auto const mean = total / static_cast<double>(new_connections.size());
  for (std::size_t i = 0; i < index.size(); ++i) {
    index[i] = static_cast<double>(new_connections[i]) / mean;
  }
  return index;
}

}  // namespace lvs::loadcalc
