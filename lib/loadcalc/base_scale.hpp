#pragma once

// What the strategies whose targets stand on the scale of the base weights have in common.

#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// The member's base weight, at least 1.
double base_of(const Member& member);
/// Its weight in the kernel, at least 1.
double current_of(const Member& member);

/// Where each member stands on the scale of the bases: at what the strategy wanted last, or, for a
/// member without a `standing`, at its current weight translated to that scale. The kernel's
/// weights may be on any other: quantising keeps ratios only. Finite and > 0.
std::vector<double> standings(const Pool& pool);

/// The last step of such a strategy. Members without measures hold; the others are then scaled to
/// what they have together in the kernel, so that the held ones keep their share. Every weight
/// comes out finite and > 0.
void finish_targets(const Pool& pool, std::vector<Target>& targets);

}  // namespace lvs::loadcalc
