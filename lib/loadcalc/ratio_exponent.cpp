#include "loadcalc/ratio_exponent.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "loadcalc/base_scale.hpp"
#include "loadcalc/learned_capacity.hpp"
#include "loadcalc/weight_vectors.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double least_spread = 0.01;  ///< variance of the logarithms: they differ by 10 %
constexpr double full_step = 0.2;      ///< that far outside of the band the step is a whole gain

double first_exponent(const Pool& pool, const CapacityParameters& parameters) {
  bool const sees_the_queue = pool.scheduler == "sed" || pool.scheduler == "nq";
  return sees_the_queue ? parameters.ratio_exponent_sed : parameters.ratio_exponent_wlc;
}

/// Slope of the least-squares line of y over x; empty when x hardly differs.
std::optional<double> slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() < 2) return std::nullopt;
  auto const mean_x = mean(x);
  auto const mean_y = mean(y);
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (!(xx / static_cast<double>(x.size()) >= least_spread)) return std::nullopt;
  return xy / xx;
}

/// C over the logarithm of what a server was learned to be stronger than its base.
std::optional<double> lean_of(const Pool& pool, double worth, double prior) {
  std::vector<double> stronger;
  std::vector<double> busy;
  for (auto const& member : pool.members) {
    if (!member.measures) continue;
    auto const capacity = learned_capacity(member, worth, prior);
    stronger.push_back(std::log(capacity / (worth * base_of(member))));
    busy.push_back(member.measures->cpu_occupancy);
  }
  return slope_of(stronger, busy);
}

/// -1 .. 1: how far, and to which side, the slope is outside of the band.
double step_for(double slope, const CapacityParameters& parameters) {
  if (slope < parameters.slope_low) {
    return std::min(1.0, (parameters.slope_low - slope) / full_step);
  }
  if (slope > parameters.slope_high) {
    return -std::min(1.0, (slope - parameters.slope_high) / full_step);
  }
  return 0.0;
}

}  // namespace

double ratio_exponent(const Pool& pool, const CapacityParameters& parameters) {
  if (pool.weight_use != WeightUse::correction) return 1.0;
  return pool.ratio_exponent > 0.0 ? pool.ratio_exponent : first_exponent(pool, parameters);
}

double learned_exponent(const Pool& pool, const CapacityParameters& parameters) {
  auto const before = ratio_exponent(pool, parameters);
  if (pool.weight_use != WeightUse::correction) return before;
  auto const worth = worth_of_a_base_unit(pool, parameters.learning.minimum_completions);
  if (!(worth > 0.0)) return before;
  auto const lean = lean_of(pool, worth, std::max(0.0, parameters.prior));
  if (!lean) return before;
  auto const most = std::max(1.0, first_exponent(pool, parameters));
  auto const next = before + parameters.exponent_gain * step_for(*lean, parameters);
  return std::clamp(next, std::min(parameters.exponent_least, most), most);
}

}  // namespace lvs::loadcalc
