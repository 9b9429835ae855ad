#include "loadcalc/relief.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "loadcalc/backlog.hpp"
#include "loadcalc/base_scale.hpp"
#include "loadcalc/saturation.hpp"
#include "loadcalc/terms.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double noted_cut = 0.9;     ///< of its share: a smaller cut is not worth a word
constexpr double least_rest = 1e-6;   ///< of its share: nothing is ever 0
constexpr double most_active = 1e12;  ///< more connections are no count

/// Members with measures, by index.
using Measured = std::vector<std::size_t>;

Measured measured_of(const Pool& pool) {
  Measured measured;
  for (std::size_t i = 0; i < pool.members.size(); ++i) {
    if (pool.members[i].measures) measured.push_back(i);
  }
  return measured;
}

double sum_of_targets(const Measured& chosen, const std::vector<Target>& targets) {
  double sum = 0.0;
  for (auto const i : chosen)
    sum += targets[i].weight;
  return sum;
}

void add_note(Target& target, std::string_view note) {
  if (!target.note.empty()) target.note += "; ";
  target.note += note;
}

bool leaves_queues_to_us(WeightUse use) {
  return use == WeightUse::share || use == WeightUse::hash_slots;
}

void make_room_for_backlogs(const Pool& pool, const Measured& measured,
                            std::span<const double> capacities, const ReliefParameters& parameters,
                            TargetSort sort, std::vector<Target>& targets) {
  if (!leaves_queues_to_us(pool.weight_use) || capacities.empty()) return;
  std::vector<Queue> queues;
  for (auto const i : measured) {
    auto const active = sane(pool.members[i].active, 0.0, most_active, 0.0);
    queues.push_back({targets[i].weight, capacities[i], active});
  }
  auto const backlog = backlogs(queues, parameters.backlog_tolerated);
  auto const shares =
      shares_beside_backlogs(queues, backlog,
                             {pool.arrivals, parameters.backlog_horizon, parameters.backlog_floor,
                              sort != TargetSort::capacities});
  // Who is neither cut nor full grew by the same factor; taken back, nobody is raised.
  double growth = 1.0;
  for (std::size_t k = 0; k < shares.size(); ++k)
    growth = std::max(growth, shares[k] / queues[k].share);
  for (std::size_t k = 0; k < shares.size(); ++k) {
    auto& target = targets[measured[k]];
    if (shares[k] < noted_cut * target.weight)
      add_note(target, backlog[k] > 0.0 ? "backlog: cut" : "more than it can take: cut");
    auto const share = sort == TargetSort::weights ? shares[k] / growth : shares[k];
    target.weight = std::max(share, least_rest * target.weight);
  }
}

/// From the kernel's weights to the targets, whose scale may be any.
double scale_of_current(const Pool& pool, const Measured& measured, TargetSort sort, double total) {
  if (sort == TargetSort::weights) return 1.0;
  double there = 0.0;
  for (auto const i : measured)
    there += current_of(pool.members[i]);
  return total / there;
}

void cut_short_of_memory(const Pool& pool, const Measured& measured,
                         const ReliefParameters& parameters, TargetSort sort,
                         std::vector<Target>& targets) {
  Measured shorts;
  Measured others;
  for (auto const i : measured) {
    bool const is_short = is_short_of_memory(*pool.members[i].measures, parameters.memory_reserve);
    (is_short ? shorts : others).push_back(i);
  }
  if (others.empty()) {
    for (auto const i : shorts)
      add_note(targets[i], "short of memory, as all");
    return;
  }
  auto const scale = scale_of_current(pool, measured, sort, sum_of_targets(measured, targets));
  double freed = 0.0;
  for (auto const i : shorts) {
    auto& target = targets[i];
    auto const rest = cut_weight(scale * current_of(pool.members[i]), target.weight);
    add_note(target, "short of memory: cut");
    freed += target.weight - rest;
    target.weight = rest;
  }
  if (shorts.empty() || sort == TargetSort::weights) return;
  auto const growth = 1.0 + freed / sum_of_targets(others, targets);
  for (auto const i : others)
    targets[i].weight *= growth;
}

}  // namespace

void relieve(const Pool& pool, std::span<const double> capacities,
             const ReliefParameters& parameters, TargetSort sort, std::vector<Target>& targets) {
  auto const measured = measured_of(pool);
  for (auto const i : measured) {
    targets[i].saturated = is_saturated(*pool.members[i].measures, parameters.saturation_cpu,
                                        parameters.memory_reserve);
  }
  make_room_for_backlogs(pool, measured, capacities, parameters, sort, targets);
  cut_short_of_memory(pool, measured, parameters, sort, targets);
}

}  // namespace lvs::loadcalc
