#pragma once

// The heart: what to do with every weight, from what was seen and what is remembered. Pure.

#include <span>

#include "monitord/config.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

/// One verdict per destination of the table, a plan of weight changes, the next state.
/// Reads no clock, file, socket or log; the result does not depend on the order of the table. Who
/// moves `state` in saves the copy: most of it goes on as it is.
Decision decide(State state, const Observations& seen, const Config& config);

/// The state after the plan was applied: what was written is what we expect to see next.
State state_after_apply(State state, std::span<const Applied> applied, Moment now);

}  // namespace lvs::monitord
