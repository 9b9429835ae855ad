#pragma once

// From real-valued targets to the integers that go to the kernel.

#include <cstdint>
#include <span>
#include <vector>

#include "loadcalc/scheduler.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// Integers for a pool's targets, each within `range`; never 0. All spans have the pool's length.
///
/// share (wrr): the smallest integers <= 12 with every ratio within 5 %, times a common factor k.
///   wrr walks by the gcd (ip_vs_wrr.c), so 24:60:96 serves exactly as 2:5:8: k only keeps the
///   pool near the scale of its bases, so that a server put back to its base fits in. k is the gcd
///   of `current` while that still fits the range and the bases' scale within a factor of 2 (so
///   that an unchanged member keeps its very number), else round(mean base / mean integer).
///   `current` is kept whole while no member's share is off by more than 10 %.
/// correction, hash_slots: targets scaled so that their mean is the mean of `bases`, rounded,
///   clamped. mh counts in 6 bits: at most 63 steps; sh has 256 slots: the sum stays <= 256.
std::vector<std::uint32_t> quantised(std::span<const double> targets,
                                     std::span<const std::uint32_t> current,
                                     std::span<const std::uint32_t> bases, WeightUse use,
                                     const WeightRange& range);

}  // namespace lvs::loadcalc
