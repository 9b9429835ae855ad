#include "loadcalc/share_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "loadcalc/boundary.hpp"
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

/// False in a range so narrow that no multiple of the integers lies in it.
bool fits(WeightSpan integers, const WeightRange& range) {
  auto const least = *std::min_element(integers.begin(), integers.end());
  return (range.min + least - 1) / least <= range.max / largest(integers);
}

/// How many members `integers * factor` leaves at their very number; nothing when a member would
/// move by no more than its boundary. That member would stay where it is, and half a vector is
/// none: 3:9:22 in place of 3:9:21 picks the last server 13 times in a row instead of 4.
std::optional<std::size_t> kept_by(std::uint32_t factor, WeightSpan integers, WeightSpan current,
                                   const Boundary& boundary) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < integers.size(); ++i) {
    auto const weight = integers[i] * factor;
    if (weight == current[i]) {
      ++kept;
    } else if (!exceeds_boundary(boundary, current[i], weight)) {
      return std::nullopt;
    }
  }
  return kept;
}

/// The common factors near the bases' scale: first to last, `ideal` among them; the range has room
/// up to `highest`.
struct Factors {
  std::uint32_t first{}, ideal{}, last{}, highest{};
};

Factors factors_for(WeightSpan integers, WeightSpan bases, const WeightRange& range) {
  auto const mean_integer = mean(integers);
  auto const mean_base = mean(bases);
  auto const least = *std::min_element(integers.begin(), integers.end());
  auto const highest = std::max(1U, range.max / largest(integers));
  auto const lowest = std::min(highest, std::max(2U, (range.min + least - 1) / least));
  auto const in_range = [&](double factor) {
    return static_cast<std::uint32_t>(
        std::clamp(factor, static_cast<double>(lowest), static_cast<double>(highest)));
  };
  auto const far = 2 * std::max<double>(mean_base, small_integer);
  return {.first = in_range(std::ceil(mean_base / 2 / mean_integer)),
          .ideal = in_range(std::round(mean_base / mean_integer)),
          .last = in_range(std::floor(far / mean_integer)),
          .highest = highest};
}

/// The common factor k of the contract.
std::uint32_t factor_for(WeightSpan integers, WeightSpan current, const Factors& factors,
                         const Boundary& boundary) {
  auto best = factors.ideal;
  auto best_kept = kept_by(best, integers, current, boundary);
  auto const distance = [&](std::uint32_t factor) {
    return std::max(factor, factors.ideal) - std::min(factor, factors.ideal);
  };
  for (auto factor = factors.first; factor <= factors.last; ++factor) {
    auto const kept = kept_by(factor, integers, current, boundary);
    bool const nearer = kept == best_kept && distance(factor) < distance(best);
    if (kept > best_kept || (kept && nearer)) {
      best = factor;
      best_kept = kept;
    }
  }
  for (auto factor = factors.last + 1; !best_kept && factor <= factors.highest; ++factor) {
    best_kept = kept_by(factor, integers, current, boundary);
    if (best_kept) best = factor;
  }
  return best;
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
                      const WeightRange& range, const Boundary& boundary) {
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
  auto const factor = factor_for(integers, current, factors_for(integers, bases, range), boundary);
  Weights weights(integers.size());
  std::transform(integers.begin(), integers.end(), weights.begin(),
                 [&](std::uint32_t integer) { return integer * factor; });
  return clamped(weights, range);
}

}  // namespace lvs::loadcalc
