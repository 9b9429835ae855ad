#pragma once

// From real-valued targets to the integers that go to the kernel.

#include <cstdint>
#include <span>
#include <vector>

#include "loadcalc/boundary.hpp"
#include "loadcalc/scheduler.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// Integers for a pool's targets, each within `range`; never 0. All spans have the pool's length.
/// Only the ratios of the targets matter; a target that is no number counts as very small.
///
/// share (wrr): the smallest integers <= 12 with every share within 5 %, times a common factor k.
///   wrr walks by the gcd (ip_vs_wrr.c), so 24:60:96 serves exactly as 2:5:8: k only keeps the
///   pool near the scale of its bases, so that a server put back to its base fits in. Of the k that
///   fit the range and the bases' scale within a factor of 2, k leaves nobody of `current` closer
///   to its new weight than `boundary` (who would not be written, and the whole vector be spoilt),
///   then most members at their very number, then it is near mean base / mean integer; a larger k
///   where only that lets everybody be written. k is at least 2 where the range allows it, so that
///   one step of the integers exceeds the least boundary of 1. `current` is kept whole while no
///   member's share is off by more than 10 % (or by 5 points more than the best integers are), if
///   it is itself made of small integers or is the bases. Where many unlike members leave no small
///   integers within 5 %, only those that are off move.
/// correction, hash_slots: targets scaled so that their mean is the mean of `bases` (at least 16:
///   with ones there is nothing to steer with), or less where the largest would leave the range;
///   rounded. `current` is kept whole while every share is within 3 % (correction) or 10 %
///   (hash_slots, whose edits move clients). mh counts in 6 bits: at most 63 steps; sh has 256
///   slots: the sum stays <= 256 where the number of members allows it.
/// share, correction: targets in the very ratios of the bases give the bases.
/// ignored, other: `current`, clamped.
std::vector<std::uint32_t> quantised(std::span<const double> targets,
                                     std::span<const std::uint32_t> current,
                                     std::span<const std::uint32_t> bases, WeightUse use,
                                     const WeightRange& range, const Boundary& boundary);

/// Each target to the nearest integer within `range`, never 0: for strategies whose targets are
/// weights already, not ratios (headroom), and for a few members among others that are held.
std::vector<std::uint32_t> rounded(std::span<const double> targets, const WeightRange& range);

/// What `base` means beside members that stand at `current` instead of at their `bases`: base *
/// sum of current / sum of bases, rounded, clamped; `base` itself when there are no others. A base
/// of 1 put back among 10:20:40 would be a drain.
std::uint32_t base_at_scale(std::uint32_t base, std::span<const std::uint32_t> current,
                            std::span<const std::uint32_t> bases, const WeightRange& range);

}  // namespace lvs::loadcalc
