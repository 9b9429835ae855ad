#include "loadcalc/small_integers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace lvs::loadcalc {

namespace {

void fill_integers(std::vector<std::uint32_t>& integers, std::span<const double> targets,
                   double scale) {
  std::transform(targets.begin(), targets.end(), integers.begin(), [scale](double target) {
    return static_cast<std::uint32_t>(std::max(1.0, std::round(target * scale)));
  });
}

/// Every integer up to 12, then steps of a tenth: a pool that is that wide needs no exact one.
std::uint32_t next_largest(std::uint32_t largest) {
  return largest < small_integer ? largest + 1 : largest + (largest + 9) / 10;
}

}  // namespace

double largest_share_error(std::span<const std::uint32_t> weights,
                           std::span<const double> targets) {
  auto const weight_sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  auto const target_sum = std::accumulate(targets.begin(), targets.end(), 0.0);
  double largest = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    auto const ratio = weights[i] / weight_sum * (target_sum / targets[i]);
    largest = std::max(largest, std::abs(ratio - 1.0));
  }
  return largest;
}

bool same_ratios(std::span<const std::uint32_t> weights, std::span<const double> targets) {
  constexpr double rounding = 1e-6;
  return largest_share_error(weights, targets) <= rounding;
}

std::uint32_t largest_small_integer(std::span<const double> targets, std::uint32_t limit) {
  if (targets.empty()) return std::min(limit, small_integer);
  auto const [least, most] = std::minmax_element(targets.begin(), targets.end());
  auto const ratio = std::min(std::ceil(*most / *least), static_cast<double>(limit));
  return std::min(limit, std::max(small_integer, static_cast<std::uint32_t>(ratio)));
}

std::vector<std::uint32_t> small_integers(std::span<const double> targets, std::uint32_t limit) {
  if (targets.empty()) return {};
  auto const most = *std::max_element(targets.begin(), targets.end());
  auto const last = largest_small_integer(targets, limit);
  std::vector<std::uint32_t> integers(targets.size());
  std::vector<std::uint32_t> best(targets.size(), 1);
  auto best_error = std::numeric_limits<double>::infinity();
  for (std::uint32_t largest = 1; largest <= last; largest = next_largest(largest)) {
    fill_integers(integers, targets, largest / most);
    auto const error = largest_share_error(integers, targets);
    if (error <= small_error) return integers;
    if (error < best_error) {
      best_error = error;
      best = integers;
    }
  }
  return best;
}

}  // namespace lvs::loadcalc
