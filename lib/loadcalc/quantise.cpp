#include "loadcalc/quantise.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "loadcalc/share_weights.hpp"
#include "loadcalc/small_integers.hpp"
#include "loadcalc/weight_vectors.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double keep_correction = 0.03;
constexpr double least_mean = 16.0;   ///< of corrections: one step is then about the boundary
constexpr double mh_steps = 63.0;     ///< IP_VS_MH_TAB_BITS / 2 = 6 bits (ip_vs_mh.c)
constexpr double sh_slots = 256.0;    ///< IP_VS_SH_TAB_SIZE (ip_vs_sh.c)
constexpr double floor_slack = 1e-6;  ///< keeps 63 * (1/3) from being floored to 20
constexpr double grid = 0x1p-40;

/// A range that can be used: 1 <= min <= max.
WeightRange usable(const WeightRange& range) {
  auto const min = std::max(1U, range.min);
  return {min, std::max(min, range.max)};
}

/// The targets in (0,1], largest 1, their ratios no wider than the range can show. Empty when not
/// one is a positive number. On a grid, so that their sums are exact and the order does not matter.
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
    auto const ratio = std::isfinite(target) ? std::max(least, target / most) : least;
    result.push_back(std::max(grid, std::round(ratio / grid) * grid));
  }
  return result;
}

/// Factor from targets (largest 1) to weights around the bases.
double scale_for(std::span<const double> targets, WeightSpan bases, const WeightRange& range) {
  auto const wanted = std::max(least_mean, mean(bases)) / mean(targets);
  return std::min(wanted, static_cast<double>(range.max));
}

Weights corrections(std::span<const double> targets, WeightSpan current, WeightSpan bases,
                    const WeightRange& range) {
  if (within(current, range) && largest_share_error(current, targets) <= keep_correction) {
    return {current.begin(), current.end()};
  }
  if (within(bases, range) && same_ratios(bases, targets)) return {bases.begin(), bases.end()};
  return rounded_to(targets, scale_for(targets, bases, range), range);
}

/// Rounded down, and with a slot for each in reserve, so that the sum stays within the table.
Weights slots(std::span<const double> targets, WeightSpan bases, const WeightRange& range) {
  auto const members = static_cast<double>(targets.size());
  auto const sum = std::accumulate(targets.begin(), targets.end(), 0.0);
  auto const scale = std::min(
      {scale_for(targets, bases, range), mh_steps, std::max(0.0, sh_slots - members) / sum});
  Weights weights;
  weights.reserve(targets.size());
  for (auto const target : targets) {
    weights.push_back(clamped(std::floor(target * scale + floor_slack), range));
  }
  return weights;
}

}  // namespace

std::vector<std::uint32_t> quantised(std::span<const double> targets, WeightSpan current,
                                     WeightSpan bases, WeightUse use, const WeightRange& asked,
                                     const Boundary& boundary) {
  assert(current.size() == targets.size() && bases.size() == targets.size());
  auto const range = usable(asked);
  auto const wish = sane(targets, range);
  bool const steered = use != WeightUse::ignored && use != WeightUse::other;
  if (wish.empty() || !steered) return clamped(current, range);

  // A base or a current weight of 0 is not a member's: taken as 1.
  auto const there = clamped(current, {1, std::max(1U, largest(current))});
  auto const meant = clamped(bases, {1, std::max(1U, largest(bases))});
  if (use == WeightUse::hash_slots) {
    bool const near = within(there, range) && largest_share_error(there, wish) <= keep_share;
    return near ? there : slots(wish, meant, range);
  }
  return use == WeightUse::share ? share_weights(wish, there, meant, range, boundary)
                                 : corrections(wish, there, meant, range);
}

std::vector<std::uint32_t> rounded(std::span<const double> targets, const WeightRange& asked) {
  return rounded_to(targets, 1.0, usable(asked));
}

std::uint32_t base_at_scale(std::uint32_t base, WeightSpan current, WeightSpan bases,
                            const WeightRange& asked) {
  auto const range = usable(asked);
  auto const there = std::accumulate(current.begin(), current.end(), 0.0);
  auto const meant = std::accumulate(bases.begin(), bases.end(), 0.0);
  bool const scaled = there > 0.0 && meant > 0.0;
  return clamped(scaled ? base * there / meant : static_cast<double>(base), range);
}

}  // namespace lvs::loadcalc
