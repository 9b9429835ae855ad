// "Processing power priority" for LVS: the weight follows the spare capacity, nothing is learned.

#include <algorithm>
#include <cmath>
#include <vector>

#include "loadcalc/base_scale.hpp"
#include "loadcalc/headroom.hpp"
#include "loadcalc/measures.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double least_composite = 0.01;  ///< an exhausted server keeps a weight above 0
constexpr double largest_scale = 1e6;

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

Target followed(const Member& member, const HeadroomParameters& parameters) {
  Target target;
  target.correction = 1.0;
  target.composite = composite_load(*member.measures, parameters.shares);
  target.weight = base_of(member) * usable_scale(parameters.scale) *
                  std::max(least_composite, target.composite);
  return target;
}

}  // namespace

std::vector<Target> headroom_targets(const Pool& pool, const HeadroomParameters& parameters) {
  std::vector<Target> targets;
  targets.reserve(pool.members.size());
  for (auto const& member : pool.members) {
    targets.push_back(member.measures ? followed(member, parameters) : held(member));
  }
  return targets;
}

}  // namespace lvs::loadcalc
