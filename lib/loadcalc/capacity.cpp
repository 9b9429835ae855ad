// `capacity`: what a server was seen to take, corrected by what it has to spare now.

#include "loadcalc/capacity.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "loadcalc/base_scale.hpp"
#include "loadcalc/capacity_model.hpp"
#include "loadcalc/learned_capacity.hpp"
#include "loadcalc/measures.hpp"
#include "loadcalc/ratio_exponent.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double largest_doubt = 0.3;  ///< what is further off is put right on little evidence, too
constexpr double least_ratio = 1e-6;   ///< of the largest target: nothing is ever 0

double positive(double value, double otherwise) {
  return std::isfinite(value) && value > 0.0 ? value : otherwise;
}

double smoothed_composite(const Member& member, const CapacityParameters& parameters) {
  bool const known = member.model.samples > 0 && std::isfinite(member.model.composite);
  auto const composite =
      known ? member.model.composite : composite_load(*member.measures, parameters.shares);
  return std::clamp(composite, 0.0, 1.0);
}

void fill_corrections(const Pool& pool, const CapacityParameters& parameters,
                      std::vector<Target>& targets) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!pool.members[i].measures) continue;
    targets[i].composite = smoothed_composite(pool.members[i], parameters);
    sum += targets[i].composite;
    count += 1.0;
  }
  if (!(sum > 0.0)) return;

  auto const gamma =
      pool.weight_use == WeightUse::share ? parameters.gamma_share : parameters.gamma_correction;
  auto const lowest = positive(parameters.correction_min, least_ratio);
  auto const highest = std::max(lowest, positive(parameters.correction_max, 1.0));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!pool.members[i].measures) continue;
    auto const factor = std::pow(targets[i].composite / (sum / count), gamma);
    targets[i].correction = std::isnan(factor) ? 1.0 : std::clamp(factor, lowest, highest);
  }
}

/// Lower median of what a base unit was seen to take; 0 without any.
double median_worth(const Pool& pool, const std::vector<Target>& targets) {
  std::vector<double> worths;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (has_evidence(pool.members[i]))
      worths.push_back(targets[i].capacity / base_of(pool.members[i]));
  }
  if (worths.empty()) return 0.0;
  auto const middle = worths.begin() + static_cast<std::ptrdiff_t>((worths.size() - 1) / 2);
  std::nth_element(worths.begin(), middle, worths.end());
  return *middle;
}

/// Who completes very much more per load than the others has most likely nothing behind its port:
/// it would draw the whole pool's connections. It counts as one of the others.
void disbelieve(const Pool& pool, double advantage_max, std::vector<Target>& targets) {
  auto const median = median_worth(pool, targets);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const believable = median * base_of(pool.members[i]);
    if (!(targets[i].capacity > advantage_max * believable) || !(believable > 0.0)) continue;
    targets[i].capacity = believable;
    targets[i].correction = 1.0;
    targets[i].note = "completes connections at next to no load: not believed";
  }
}

/// What every member with measures deserves, before the scale.
void fill_wishes(const Pool& pool, const CapacityParameters& parameters,
                 std::vector<Target>& targets) {
  auto const worth = worth_of_a_base_unit(pool, parameters.learning.minimum_completions);
  auto const prior = std::max(0.0, positive(parameters.prior, 0.0));
  auto const exponent = ratio_exponent(pool, parameters);
  if (worth > 0.0) fill_corrections(pool, parameters, targets);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const& member = pool.members[i];
    auto& target = targets[i];
    auto const base = base_of(member);
    target.weight = base;
    target.note = "nothing learned: base";
    if (worth > 0.0) {
      target.capacity = learned_capacity(member, worth, prior);
      target.note = has_evidence(member) ? "" : "prior only";
    }
    if (!member.measures) target.note = "no reading: held";
  }
  if (!(worth > 0.0)) return;
  disbelieve(pool, parameters.advantage_max, targets);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const base = base_of(pool.members[i]);
    targets[i].weight =
        base * std::pow(targets[i].capacity / (worth * base), exponent) * targets[i].correction;
  }
}

/// Members with measures, by index, and what they have together in the kernel.
struct Measured {
  std::vector<std::size_t> members{};
  double current{};
};

Measured measured_of(const Pool& pool) {
  Measured measured;
  for (std::size_t i = 0; i < pool.members.size(); ++i) {
    if (!pool.members[i].measures) continue;
    measured.members.push_back(i);
    measured.current += current_of(pool.members[i]);
  }
  return measured;
}

/// Scales the chosen targets so that they sum up to `total`.
void scale_to(std::vector<Target>& targets, const std::vector<std::size_t>& chosen, double total) {
  double largest = 0.0;
  for (auto const i : chosen)
    largest = std::max(largest, positive(targets[i].weight, 0.0));
  if (largest <= 0.0) largest = 1.0;
  double sum = 0.0;
  for (auto const i : chosen) {
    auto& weight = targets[i].weight;
    weight = std::max(least_ratio, positive(weight, 0.0) / largest);
    sum += weight;
  }
  for (auto const i : chosen)
    targets[i].weight *= total / sum;
}

/// Targets that the evidence cannot tell from the current weights are the current weights.
void hold_within_doubt(const Pool& pool, const CapacityParameters& parameters,
                       const Measured& measured, std::vector<Target>& targets) {
  for (auto const i : measured.members) {
    auto const& member = pool.members[i];
    if (!(targets[i].capacity > 0.0)) return;  // nothing learned: the bases are the targets
    auto const doubt = parameters.doubt * relative_error(member.model, parameters.learning);
    auto const off = std::abs(std::log(targets[i].weight / current_of(member)));
    if (off > std::min(largest_doubt, doubt)) return;
  }
  for (auto const i : measured.members)
    targets[i].weight = current_of(pool.members[i]);
}

}  // namespace

std::vector<Target> capacity_targets(const Pool& pool, const CapacityParameters& parameters) {
  std::vector<Target> targets(pool.members.size());
  for (auto& target : targets)
    target.correction = 1.0;
  fill_wishes(pool, parameters, targets);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const& member = pool.members[i];
    if (!member.measures) targets[i].weight = current_of(member);
  }
  auto const measured = measured_of(pool);
  if (measured.members.empty()) return targets;
  scale_to(targets, measured.members, measured.current);
  hold_within_doubt(pool, parameters, measured, targets);
  return targets;
}

}  // namespace lvs::loadcalc
