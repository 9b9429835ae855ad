#pragma once

// Small rules about readings and steps that decide() is made of. Pure.

#include <cstdint>
#include <optional>

#include "loadcalc/boundary.hpp"
#include "loadcalc/strategy.hpp"
#include "monitord/config.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

/// Age of a reading that still counts as an answer in time: the agent samples every second and is
/// asked every interval, so up to two intervals are normal.
Moment fresh_for(const Config& config);
/// Age up to which a missing reading means "held": fresh_for plus hold_polls intervals.
Moment held_for(const Config& config);

/// fresh, stale (held), silent (on the way to its base), or none (never heard, held). A server
/// that was never heard turns silent, too, once it was in the table for held_for.
ReadingState reading_state(const Reading* reading, Moment now, Moment first_seen,
                           const Config& config);

/// A server that says nothing while its connections pile up is saturated, not unchanged: half as
/// many again (and five more) as when it last answered, and not falling.
bool piles_up(const DestinationState& before, std::uint32_t active);

/// One cycle's cut of such a server: half its weight, not below the floor.
std::uint32_t cut_weight(std::uint32_t current, const loadcalc::WeightRange& range);

/// One cycle's step back to the base: half the way, or all of it where half, or the rest after it,
/// would be within the boundary: the base is reached, not approached.
std::uint32_t step_to_base(std::uint32_t current, std::uint32_t base,
                           const loadcalc::Boundary& boundary);

/// `up_step` of the way from `current` to a higher `target`; a lower target is taken whole.
double damped(double current, double target, double up_step);

}  // namespace lvs::monitord
