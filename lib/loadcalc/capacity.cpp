// `capacity`: what a server was seen to take, corrected by what it has to spare now.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "loadcalc/capacity.hpp"

#include "loadcalc/backlog.hpp"
#include "loadcalc/capacity_model.hpp"
#include "loadcalc/measures.hpp"
#include "loadcalc/saturation.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double useful_cpu = 0.9;     ///< up to here the others may take what a cut sets free
constexpr double least_cpu = 0.01;     ///< an idle server's room is large, not infinite
constexpr double largest_doubt = 0.3;  ///< what is further off is put right on little evidence, too
constexpr double least_ratio = 1e-6;   ///< of the largest target: nothing is ever 0
constexpr double largest_sum = 1e15;   ///< a larger sum is not evidence but a broken state file

bool usable(double sum) {
  return std::abs(sum) <= largest_sum;
}

struct Evidence {
  double work{};
  double load{};
};

Evidence evidence_of(const Member& member) {
  if (!usable(member.model.work) || !usable(member.model.load)) return {};
  return {std::max(0.0, member.model.work), std::max(0.0, member.model.load)};
}

double base_of(const Member& member) {
  return std::max(1.0, static_cast<double>(member.base));
}
double current_of(const Member& member) {
  return std::max(1.0, static_cast<double>(member.current));
}

/// Work per load and per unit of base, over the whole pool: what a base unit is worth. Equal to
/// c / mean base of a pool with equal bases; weighted by the bases so that a pool whose bases are
/// right has the right prior also while only some of its servers were seen. 0: nothing learned.
double worth_of_a_base_unit(const Pool& pool, const CapacityParameters& parameters) {
  double work = 0.0;
  double load = 0.0;
  for (auto const& member : pool.members) {
    auto const seen = evidence_of(member);
    work += seen.work;
    load += seen.load * base_of(member);
  }
  bool const enough = work > 0.0 && load > 0.0 && work >= parameters.learning.minimum_completions;
  return enough ? work / load : 0.0;
}

double positive(double value, double otherwise) {
  return std::isfinite(value) && value > 0.0 ? value : otherwise;
}

double capacity_of(const Member& member, double worth, double prior) {
  auto const seen = evidence_of(member);
  auto const expected = worth * base_of(member);
  auto const capacity = (seen.work + prior * expected) / (seen.load + prior);
  return positive(capacity, expected * least_ratio);
}

/// How much of a learned ratio reaches the weights. wrr and the hash tables do not look at the
/// servers: all of it. The others do, and weights in proportion to capacity lean too far there.
double ratio_exponent(const Pool& pool, const CapacityParameters& parameters) {
  if (pool.weight_use != WeightUse::correction) return 1.0;
  if (pool.ratio_exponent > 0.0) return std::min(1.0, pool.ratio_exponent);
  bool const sees_the_queue = pool.scheduler == "sed" || pool.scheduler == "nq";
  return sees_the_queue ? parameters.ratio_exponent_sed : parameters.ratio_exponent_wlc;
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

/// What every member with measures deserves, before scale and cuts.
void fill_wishes(const Pool& pool, const CapacityParameters& parameters,
                 std::vector<Target>& targets) {
  auto const worth = worth_of_a_base_unit(pool, parameters);
  auto const prior = std::max(0.0, positive(parameters.prior, 0.0));
  auto const exponent = ratio_exponent(pool, parameters);
  if (worth > 0.0) fill_corrections(pool, parameters, targets);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const& member = pool.members[i];
    auto& target = targets[i];
    auto const base = base_of(member);
    if (worth > 0.0) {
      target.capacity = capacity_of(member, worth, prior);
      target.weight =
          base * std::pow(target.capacity / (worth * base), exponent) * target.correction;
      if (!(evidence_of(member).load > 0.0)) target.note = "prior only";
    } else {
      target.weight = base;
      target.note = "nothing learned: base";
    }
    if (!member.measures) target.note = "no reading: held";
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

/// Memory under its reserve: the server thrashes or is about to.
bool is_short_of_memory(const Member& member, const CapacityParameters& parameters) {
  return member.measures->free_memory_rate < parameters.memory_reserve;
}

/// A server that pages is cut by half at once; the others take what it loses.
void cut_short_of_memory(const Pool& pool, const CapacityParameters& parameters,
                         const Measured& measured, std::vector<Target>& targets) {
  std::vector<std::size_t> others;
  double left = measured.current;
  for (auto const i : measured.members) {
    if (!is_short_of_memory(pool.members[i], parameters)) {
      others.push_back(i);
      continue;
    }
    auto& target = targets[i];
    target.weight = cut_weight(current_of(pool.members[i]), target.weight);
    target.note = "short of memory: cut";
    left -= target.weight;
  }
  if (others.empty()) return scale_to(targets, measured.members, measured.current);
  if (others.size() < measured.members.size()) scale_to(targets, others, left);
}

/// A scheduler that does not look leaves queues to us.
void make_room_for_backlogs(const Pool& pool, const CapacityParameters& parameters,
                            const Measured& measured, std::vector<Target>& targets) {
  if (pool.weight_use == WeightUse::correction) return;
  std::vector<Queue> queues;
  for (auto const i : measured.members) {
    if (!(targets[i].capacity > 0.0)) return;
    queues.push_back({targets[i].weight, targets[i].capacity, pool.members[i].active});
  }
  auto const backlog = backlogs(queues, parameters.backlog_tolerated);
  auto const shares = shares_beside_backlogs(
      queues, backlog, pool.arrivals * parameters.backlog_horizon, parameters.backlog_floor);
  for (std::size_t k = 0; k < shares.size(); ++k) {
    auto& target = targets[measured.members[k]];
    if (shares[k] < 0.9 * target.weight) target.note = "backlog: cut";
    target.weight = shares[k];
  }
}

}  // namespace

double learned_exponent(const Pool& pool, const CapacityParameters& parameters) {
  auto const before = ratio_exponent(pool, parameters);
  if (pool.weight_use != WeightUse::correction) return before;
  auto const worth = worth_of_a_base_unit(pool, parameters);
  if (!(worth > 0.0)) return before;
  std::vector<double> x;
  std::vector<double> y;
  for (auto const& member : pool.members) {
    if (!member.measures) continue;
    x.push_back(std::log(capacity_of(member, worth, parameters.prior) / (worth * base_of(member))));
    y.push_back(member.measures->cpu_occupancy);
  }
  if (x.size() < 2) return before;
  auto const n = static_cast<double>(x.size());
  auto const mx = std::accumulate(x.begin(), x.end(), 0.0) / n;
  auto const my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  if (xx / n < 0.01) return before;
  auto const slope = xy / xx;
  double step = 0.0;
  if (slope < parameters.slope_low) step = std::min(1.0, (parameters.slope_low - slope) / 0.2);
  if (slope > parameters.slope_high) step = -std::min(1.0, (slope - parameters.slope_high) / 0.2);
  return std::clamp(before + parameters.exponent_gain * step, parameters.exponent_least, 1.0);
}

std::vector<Target> capacity_targets(const Pool& pool, const CapacityParameters& parameters) {
  std::vector<Target> targets(pool.members.size());
  for (auto& target : targets)
    target.correction = 1.0;
  fill_wishes(pool, parameters, targets);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const& member = pool.members[i];
    if (member.measures) {
      targets[i].saturated =
          is_saturated(*member.measures, parameters.saturation_cpu, parameters.memory_reserve);
    } else {
      targets[i].weight = current_of(member);
    }
  }
  auto const measured = measured_of(pool);
  if (measured.members.empty()) return targets;
  scale_to(targets, measured.members, measured.current);
  hold_within_doubt(pool, parameters, measured, targets);
  make_room_for_backlogs(pool, parameters, measured, targets);
  cut_short_of_memory(pool, parameters, measured, targets);
  return targets;
}

}  // namespace lvs::loadcalc
