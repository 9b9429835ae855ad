#pragma once

// What is written when monitord ends. Pure.

#include <span>

#include "ipvs/table.hpp"
#include "monitord/config.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

/// With `on_exit: restore` the bases of what is managed. In any case an end to the zeros that
/// monitord set by itself: nobody would be there to undo them. Drains by hand, zeros of others and
/// paused services stay as they are.
Plan leaving_plan(const State& state, std::span<const ipvs::ServiceEntry> table,
                  const Config& config);

}  // namespace lvs::monitord
