#pragma once

// `capacity`: how much of the learned ratios has to reach the weights.

#include "loadcalc/capacity.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// The exponent that holds in this cycle: 1 for a scheduler that does not look at connections, else
/// what was learned (Pool::ratio_exponent), else the one to start with.
double ratio_exponent(const Pool& pool, const CapacityParameters& parameters);

/// The exponent e of the next cycle (Pool::ratio_exponent is the last one's; 0: none yet). wlc, sed
/// and nq even out connections per weight, which is right while a connection is a request in
/// progress and wrong while most are idle (keep-alive, TIME_WAIT under wlc). The CPUs tell: where
/// those servers that were learned to be stronger than their base are idler than the others, more
/// of the learned ratio has to go into the weights; where they are much busier, less. e moves by at
/// most `exponent_gain`, from `exponent_least` up to 1 (or to the one to start with, where that is
/// more); it stays while capacities hardly differ from the bases. 1 for other schedulers.
double learned_exponent(const Pool& pool, const CapacityParameters& parameters);

}  // namespace lvs::loadcalc
