// "Processing power priority" for LVS: the weight follows the spare capacity, nothing is learned.

#include <algorithm>
#include <cmath>
#include <vector>

#include "loadcalc/base_scale.hpp"
#include "loadcalc/headroom.hpp"
#include "loadcalc/measures.hpp"
#include "loadcalc/saturation.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double least_composite = 0.01;  ///< an exhausted server keeps a weight above 0
constexpr double largest_scale = 1e6;

bool saturated(const Member& member, const HeadroomParameters& parameters) {
  return member.measures &&
         is_saturated(*member.measures, parameters.saturation_cpu, parameters.memory_reserve);
}

double usable_scale(double scale) {
  return std::isfinite(scale) && scale > 0.0 ? std::min(scale, largest_scale) : 1.0;
}

Target held(const Member& member) {
  Target target;
  target.weight = current_of(member);
  target.correction = 1.0;
  target.note = "no reading: held";
  return target;
}

Target followed(const Member& member, const HeadroomParameters& parameters, bool may_cut) {
  Target target;
  target.correction = 1.0;
  target.composite = composite_load(*member.measures, parameters.shares);
  target.saturated = saturated(member, parameters);
  target.weight = base_of(member) * usable_scale(parameters.scale) *
                  std::max(least_composite, target.composite);
  if (!target.saturated) return target;

  target.note = may_cut ? "saturated: cut" : "all saturated";
  if (may_cut) {
    target.weight = cut_weight(current_of(member), target.weight);
  }
  return target;
}

}  // namespace

std::vector<Target> headroom_targets(const Pool& pool, const HeadroomParameters& parameters) {
  bool const may_cut = std::any_of(
      pool.members.begin(), pool.members.end(),
      [&](const Member& member) { return member.measures && !saturated(member, parameters); });
  std::vector<Target> targets;
  targets.reserve(pool.members.size());
  for (auto const& member : pool.members) {
    targets.push_back(member.measures ? followed(member, parameters, may_cut) : held(member));
  }
  return targets;
}

}  // namespace lvs::loadcalc
