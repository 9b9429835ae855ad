#include "loadcalc/base_scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace lvs::loadcalc {

namespace {

constexpr double least_weight = 1e-6;
constexpr double largest_weight = 1e12;  ///< sums of a pool stay exact enough and finite

double usable_weight(double weight) {
  return std::isnan(weight) ? least_weight : std::clamp(weight, least_weight, largest_weight);
}

std::optional<double> standing_of(const Member& member) {
  if (!member.standing || !(*member.standing > 0.0)) return std::nullopt;
  return usable_weight(*member.standing);
}

/// From the kernel's scale to that of the bases: by the members that have a standing, else by all.
double translation(const Pool& pool) {
  double standing = 0.0;
  double current = 0.0;
  double bases = 0.0;
  double all = 0.0;
  for (auto const& member : pool.members) {
    bases += base_of(member);
    all += current_of(member);
    auto const known = standing_of(member);
    if (!known) continue;
    standing += *known;
    current += current_of(member);
  }
  if (current > 0.0) return standing / current;
  return all > 0.0 ? bases / all : 1.0;
}

/// Held members have a weight on the kernel's scale: so do the others beside them.
void scale_beside_held(const Pool& pool, std::vector<Target>& targets) {
  double wanted = 0.0;
  double there = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!pool.members[i].measures) continue;
    wanted += targets[i].weight;
    there += current_of(pool.members[i]);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto& target = targets[i];
    if (pool.members[i].measures) {
      target.weight = usable_weight(target.weight * (there / wanted));
    } else {
      target.weight = current_of(pool.members[i]);
      target.note = "no reading: held";
    }
  }
}

}  // namespace

double base_of(const Member& member) {
  return std::max(1.0, static_cast<double>(member.base));
}

double current_of(const Member& member) {
  return std::max(1.0, static_cast<double>(member.current));
}

std::vector<double> standings(const Pool& pool) {
  auto const factor = translation(pool);
  std::vector<double> result;
  result.reserve(pool.members.size());
  for (auto const& member : pool.members) {
    result.push_back(usable_weight(standing_of(member).value_or(current_of(member) * factor)));
  }
  return result;
}

void finish_targets(const Pool& pool, std::vector<Target>& targets) {
  bool held = false;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    targets[i].correction = 1.0;
    targets[i].weight = usable_weight(targets[i].weight);
    held |= !pool.members[i].measures.has_value();
  }
  if (held) scale_beside_held(pool, targets);
}

}  // namespace lvs::loadcalc
