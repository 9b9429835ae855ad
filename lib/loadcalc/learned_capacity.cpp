#include "loadcalc/learned_capacity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "loadcalc/base_scale.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double least_ratio = 1e-6;  ///< of what the base is worth: nothing is ever 0
constexpr double largest_sum = 1e15;  ///< a larger sum is not evidence but a broken state file

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

}  // namespace

bool has_evidence(const Member& member) {
  return evidence_of(member).load > 0.0;
}

double worth_of_a_base_unit(const Pool& pool, double minimum_completions) {
  double work = 0.0;
  double load = 0.0;
  for (auto const& member : pool.members) {
    auto const seen = evidence_of(member);
    work += seen.work;
    load += seen.load * base_of(member);
  }
  bool const enough = work > 0.0 && load > 0.0 && work >= minimum_completions;
  return enough ? work / load : 0.0;
}

double learned_capacity(const Member& member, double worth, double prior) {
  auto const seen = evidence_of(member);
  auto const expected = worth * base_of(member);
  auto const capacity = (seen.work + prior * expected) / (seen.load + prior);
  bool const sound = std::isfinite(capacity) && capacity > 0.0;
  return sound ? capacity : expected * least_ratio;
}

std::vector<double> learned_capacities(const Pool& pool, double minimum_completions, double prior) {
  auto const worth = worth_of_a_base_unit(pool, minimum_completions);
  if (!(worth > 0.0)) return {};
  std::vector<double> capacities;
  capacities.reserve(pool.members.size());
  for (auto const& member : pool.members)
    capacities.push_back(learned_capacity(member, worth, prior));
  return capacities;
}

}  // namespace lvs::loadcalc
