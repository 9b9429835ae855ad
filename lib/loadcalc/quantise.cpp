#include "loadcalc/quantise.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "loadcalc/small_integers.hpp"

namespace lvs::loadcalc {

namespace {

using Weights = std::vector<std::uint32_t>;
using Span = std::span<const std::uint32_t>;

constexpr std::uint32_t kSmallInteger = 12;
constexpr double kSmallError = 0.05;
constexpr double kKeepShare = 0.10;
constexpr double kKeepBeyondBest = 0.05;  ///< many unlike members: no small integers are near
constexpr double kKeepCorrection = 0.03;
constexpr double kLeastMean = 16.0;  ///< of corrections: one step is then about the boundary
constexpr double kMhSteps = 63.0;    ///< IP_VS_MH_TAB_BITS / 2 = 6 bits (ip_vs_mh.c)
constexpr double kShSlots = 256.0;   ///< IP_VS_SH_TAB_SIZE (ip_vs_sh.c)
constexpr double kSameRatio = 1e-6;

double mean(auto const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::uint32_t largest(Span values) {
  return *std::max_element(values.begin(), values.end());
}

/// A range that can be used: 1 <= min <= max.
WeightRange usable(const WeightRange& range) {
  auto const min = std::max(1U, range.min);
  return {min, std::max(min, range.max)};
}

std::uint32_t clamped(double weight, const WeightRange& range) {
  auto const bounded = std::isnan(weight) ? range.min
                                          : std::clamp(weight, static_cast<double>(range.min),
                                                       static_cast<double>(range.max));
  return static_cast<std::uint32_t>(std::lround(bounded));
}

Weights clamped(Span weights, const WeightRange& range) {
  Weights result(weights.begin(), weights.end());
  for (auto& weight : result)
    weight = std::clamp(weight, range.min, range.max);
  return result;
}

bool within(Span weights, const WeightRange& range) {
  return std::all_of(weights.begin(), weights.end(), [&](std::uint32_t weight) {
    return weight >= range.min && weight <= range.max;
  });
}

/// The targets in (0,1], largest 1, their ratios no wider than the range can show. Empty when not
/// one is a positive number.
std::vector<double> sane(std::span<const double> targets, const WeightRange& range) {
  double most = 0.0;
  for (auto const target : targets) {
    if (std::isfinite(target)) most = std::max(most, target);
  }
  if (most <= 0.0) return {};
  auto const least = static_cast<double>(range.min) / static_cast<double>(range.max);
  std::vector<double> result;
  result.reserve(targets.size());
  for (auto const target : targets) {
    result.push_back(std::isfinite(target) ? std::max(least, target / most) : least);
  }
  return result;
}

/// An operator's own vector is left alone while it is right, whatever its integers.
std::uint32_t common_factor(Span weights) {
  return std::accumulate(weights.begin(), weights.end(), 0U,
                         std::gcd<std::uint32_t, std::uint32_t>);
}

bool are_small(Span weights, Span integers) {
  return largest(weights) / common_factor(weights) <= std::max(kSmallInteger, largest(integers));
}

bool is_plain(Span current, Span integers, Span bases) {
  if (std::equal(current.begin(), current.end(), bases.begin())) return true;
  return are_small(current, integers);
}

/// The factors that leave members at their very number, and how many each leaves.
std::map<std::uint32_t, std::size_t> keeping_factors(Span integers, Span current) {
  std::map<std::uint32_t, std::size_t> factors;
  for (std::size_t i = 0; i < integers.size(); ++i) {
    if (current[i] % integers[i] == 0) ++factors[current[i] / integers[i]];
  }
  return factors;
}

/// The common factor k of the contract.
std::uint32_t factor_for(Span integers, Span current, Span bases, const WeightRange& range) {
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
        scale >= mean_base / 2 && scale <= 2 * std::max<double>(mean_base, kSmallInteger);
    if (factor < lowest || factor > highest || !near_bases || count <= kept) continue;
    best = factor;
    kept = count;
  }
  if (best != 0) return best;
  auto const ideal = std::clamp(std::round(mean_base / mean_integer), static_cast<double>(lowest),
                                static_cast<double>(highest));
  return static_cast<std::uint32_t>(ideal);
}

bool are_the_bases(std::span<const double> targets, Span bases, const WeightRange& range) {
  return within(bases, range) && largest_share_error(bases, targets) <= kSameRatio;
}

/// `current` with only those members moved that are off by more than `tolerated`, on its own grid.
Weights moved_on_grid(std::span<const double> targets, Span current, double tolerated,
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
Weights mended(std::span<const double> targets, Span current, Span integers, double tolerated,
               const WeightRange& range) {
  if (!within(current, range) || !are_small(current, integers)) return {};
  for (auto const threshold : {tolerated, tolerated / 2, 0.0}) {
    auto weights = moved_on_grid(targets, current, threshold, range);
    bool const good = largest_share_error(weights, targets) <= tolerated;
    if (good && within(weights, range) && are_small(weights, integers)) return weights;
  }
  return {};
}

Weights shares(std::span<const double> targets, Span current, Span bases,
               const WeightRange& range) {
  auto const integers = small_integers(targets, range.max);
  auto const error = largest_share_error(integers, targets);
  auto const tolerated = std::max(kKeepShare, error + kKeepBeyondBest);
  if (within(current, range) && largest_share_error(current, targets) <= tolerated &&
      is_plain(current, integers, bases)) {
    return {current.begin(), current.end()};
  }
  if (are_the_bases(targets, bases, range)) return {bases.begin(), bases.end()};
  if (error > kSmallError) {
    auto weights = mended(targets, current, integers, tolerated, range);
    if (!weights.empty()) return weights;
  }
  auto const factor = factor_for(integers, current, bases, range);
  Weights weights(integers.size());
  std::transform(integers.begin(), integers.end(), weights.begin(),
                 [&](std::uint32_t integer) { return integer * factor; });
  return clamped(weights, range);
}

/// Factor from targets (largest 1) to weights around the bases.
double scale_for(std::span<const double> targets, Span bases, const WeightRange& range) {
  auto const wanted = std::max(kLeastMean, mean(bases)) / mean(targets);
  return std::min(wanted, static_cast<double>(range.max));
}

Weights corrections(std::span<const double> targets, Span current, Span bases,
                    const WeightRange& range) {
  if (within(current, range) && largest_share_error(current, targets) <= kKeepCorrection) {
    return {current.begin(), current.end()};
  }
  if (are_the_bases(targets, bases, range)) return {bases.begin(), bases.end()};
  auto const scale = scale_for(targets, bases, range);
  Weights weights;
  weights.reserve(targets.size());
  for (auto const target : targets)
    weights.push_back(clamped(target * scale, range));
  return weights;
}

/// Rounded down, and with a slot for each in reserve, so that the sum stays within the table.
Weights slots(std::span<const double> targets, Span bases, const WeightRange& range) {
  auto const members = static_cast<double>(targets.size());
  auto const sum = std::accumulate(targets.begin(), targets.end(), 0.0);
  auto const scale = std::min(
      {scale_for(targets, bases, range), kMhSteps, std::max(0.0, kShSlots - members) / sum});
  Weights weights;
  weights.reserve(targets.size());
  for (auto const target : targets) {
    weights.push_back(clamped(std::floor(target * scale + kSameRatio), range));
  }
  return weights;
}

}  // namespace

std::vector<std::uint32_t> quantised(std::span<const double> targets, Span current, Span bases,
                                     WeightUse use, const WeightRange& asked) {
  assert(current.size() == targets.size() && bases.size() == targets.size());
  auto const range = usable(asked);
  auto const wish = sane(targets, range);
  bool const steered = use != WeightUse::ignored && use != WeightUse::other;
  if (wish.empty() || !steered) return clamped(current, range);

  // A base or a current weight of 0 is not a member's: taken as 1.
  auto const there = clamped(current, {1, std::max(1U, largest(current))});
  auto const meant = clamped(bases, {1, std::max(1U, largest(bases))});
  if (use == WeightUse::hash_slots) {
    bool const near = within(there, range) && largest_share_error(there, wish) <= kKeepShare;
    return near ? there : slots(wish, meant, range);
  }
  return use == WeightUse::share ? shares(wish, there, meant, range)
                                 : corrections(wish, there, meant, range);
}

std::vector<std::uint32_t> rounded(std::span<const double> targets, const WeightRange& asked) {
  auto const range = usable(asked);
  std::vector<std::uint32_t> weights;
  weights.reserve(targets.size());
  for (auto const target : targets)
    weights.push_back(clamped(target, range));
  return weights;
}

std::uint32_t base_at_scale(std::uint32_t base, Span current, Span bases,
                            const WeightRange& asked) {
  auto const range = usable(asked);
  auto const there = std::accumulate(current.begin(), current.end(), 0.0);
  auto const meant = std::accumulate(bases.begin(), bases.end(), 0.0);
  bool const scaled = there > 0.0 && meant > 0.0;
  return clamped(scaled ? base * there / meant : static_cast<double>(base), range);
}

}  // namespace lvs::loadcalc
