#include "loadcalc/share_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "loadcalc/small_integers.hpp"
#include "loadcalc/weight_vectors.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double keep_beyond_best = 0.05;  ///< many unlike members: no small integers are near

std::uint32_t common_factor(WeightSpan weights) {
  return std::accumulate(weights.begin(), weights.end(), 0U,
                         std::gcd<std::uint32_t, std::uint32_t>);
}

bool are_small(WeightSpan weights, std::uint32_t largest_small) {
  return largest(weights) / common_factor(weights) <= largest_small;
}

/// An operator's own vector is left alone while it is right, whatever its integers.
bool is_plain(WeightSpan current, std::uint32_t largest_small, WeightSpan bases) {
  if (std::equal(current.begin(), current.end(), bases.begin())) return true;
  return are_small(current, largest_small);
}

/// The factors that leave members at their very number, and how many each leaves.
std::map<std::uint32_t, std::size_t> keeping_factors(WeightSpan integers, WeightSpan current) {
  std::map<std::uint32_t, std::size_t> factors;
  for (std::size_t i = 0; i < integers.size(); ++i) {
    if (current[i] % integers[i] == 0) ++factors[current[i] / integers[i]];
  }
  return factors;
}

/// False in a range so narrow that no multiple of the integers lies in it.
bool fits(WeightSpan integers, const WeightRange& range) {
  auto const least = *std::min_element(integers.begin(), integers.end());
  return (range.min + least - 1) / least <= range.max / largest(integers);
}

/// The common factor k of the contract.
std::uint32_t factor_for(WeightSpan integers, WeightSpan current, WeightSpan bases,
                         const WeightRange& range) {
  auto const mean_integer = mean(integers);
  auto const mean_base = mean(bases);
  auto const highest = std::max(1U, range.max / largest(integers));
  auto const least = *std::min_element(integers.begin(), integers.end());
  auto const lowest = std::min(highest, std::max(2U, (range.min + least - 1) / least));

  std::uint32_t best = 0;
  std::size_t kept = 0;
  for (auto const& [factor, count] : keeping_factors(integers, current)) {
    auto const scale = factor * mean_integer;
    bool const near_bases =
        scale >= mean_base / 2 && scale <= 2 * std::max<double>(mean_base, small_integer);
    if (factor < lowest || factor > highest || !near_bases || count <= kept) continue;
    best = factor;
    kept = count;
  }
  if (best != 0) return best;
  auto const ideal = std::clamp(std::round(mean_base / mean_integer), static_cast<double>(lowest),
                                static_cast<double>(highest));
  return static_cast<std::uint32_t>(ideal);
}

/// `current` with only those members moved that are off by more than `tolerated`, on its own grid.
Weights moved_on_grid(std::span<const double> targets, WeightSpan current, double tolerated,
                      const WeightRange& range) {
  auto const grid = common_factor(current);
  auto const scale = std::accumulate(current.begin(), current.end(), 0.0) /
                     std::accumulate(targets.begin(), targets.end(), 0.0);
  Weights weights(current.begin(), current.end());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    auto const wanted = targets[i] * scale;
    if (std::abs(current[i] / wanted - 1.0) <= tolerated) continue;
    weights[i] = grid * clamped(std::max(1.0, wanted / grid), {1, std::max(1U, range.max / grid)});
  }
  return weights;
}

/// The least change of `current` that is good enough; empty when none is. In a large pool somebody
/// is always off, and that is no reason to move everybody.
Weights mended(std::span<const double> targets, WeightSpan current, double tolerated,
               const WeightRange& range) {
  auto const largest_small = largest_small_integer(targets, range.max);
  if (!within(current, range) || !are_small(current, largest_small)) return {};
  for (auto const threshold : {tolerated, tolerated / 2, 0.0}) {
    auto weights = moved_on_grid(targets, current, threshold, range);
    bool const good = largest_share_error(weights, targets) <= tolerated;
    if (good && within(weights, range) && are_small(weights, largest_small)) return weights;
  }
  return {};
}

}  // namespace

Weights share_weights(std::span<const double> targets, WeightSpan current, WeightSpan bases,
                      const WeightRange& range) {
  auto const integers = small_integers(targets, range.max);
  auto const error = largest_share_error(integers, targets);
  auto const tolerated = std::max(keep_share, error + keep_beyond_best);
  if (within(current, range) && largest_share_error(current, targets) <= tolerated &&
      is_plain(current, largest_small_integer(targets, range.max), bases)) {
    return {current.begin(), current.end()};
  }
  if (within(bases, range) && same_ratios(bases, targets)) return {bases.begin(), bases.end()};
  if (error > small_error) {
    auto weights = mended(targets, current, tolerated, range);
    if (!weights.empty()) return weights;
  }
  if (!fits(integers, range)) return rounded_to(targets, range.max, range);
  auto const factor = factor_for(integers, current, bases, range);
  Weights weights(integers.size());
  std::transform(integers.begin(), integers.end(), weights.begin(),
                 [&](std::uint32_t integer) { return integer * factor; });
  return clamped(weights, range);
}

}  // namespace lvs::loadcalc
