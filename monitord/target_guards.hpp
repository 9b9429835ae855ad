#pragma once

// The guards between what a strategy wants and the integers: the same for every strategy.

#include <cstdint>
#include <span>
#include <vector>

#include "loadcalc/guards.hpp"
#include "loadcalc/strategy.hpp"
#include "monitord/seat.hpp"

namespace lvs::monitord {

/// Sends a pool in which nothing has happened for a minute back to its bases, and ramps up who came
/// lately. `targets` are those of the seats that are not settled, in their order, as is `pool`.
void guard_targets(const Seats& seats, const PoolContext& context, const loadcalc::Pool& pool,
                   std::vector<loadcalc::Target>& targets);

/// Limits how far `targets` may go from `current` (>= 1, same length, same scale) in one cycle.
/// Under sh and mh nobody falls below a quarter of the mean: few slots of a hash table are a share
/// that nobody can trust.
void keep_within_steps(std::span<const std::uint32_t> current, loadcalc::WeightUse use,
                       const loadcalc::GuardParameters& guards, std::span<double> targets);

}  // namespace lvs::monitord
