#pragma once

// Small tools for a pool's weights. Weights are >= 1 and a pool has at least one member.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

using Weights = std::vector<std::uint32_t>;
using WeightSpan = std::span<const std::uint32_t>;

double mean(auto const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

inline std::uint32_t largest(WeightSpan values) {
  return *std::max_element(values.begin(), values.end());
}

inline bool within(WeightSpan weights, const WeightRange& range) {
  return std::all_of(weights.begin(), weights.end(), [&](std::uint32_t weight) {
    return weight >= range.min && weight <= range.max;
  });
}

/// The nearest integer in the range; its lower end for what is no number.
inline std::uint32_t clamped(double weight, const WeightRange& range) {
  auto const low = static_cast<double>(range.min);
  auto const high = static_cast<double>(range.max);
  return static_cast<std::uint32_t>(
      std::round(std::isnan(weight) ? low : std::clamp(weight, low, high)));
}

inline Weights clamped(WeightSpan weights, const WeightRange& range) {
  Weights result(weights.begin(), weights.end());
  for (auto& weight : result)
    weight = std::clamp(weight, range.min, range.max);
  return result;
}

inline Weights rounded_to(std::span<const double> targets, double scale, const WeightRange& range) {
  Weights weights;
  weights.reserve(targets.size());
  for (auto const target : targets)
    weights.push_back(clamped(target * scale, range));
  return weights;
}

}  // namespace lvs::loadcalc
