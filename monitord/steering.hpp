#pragma once

// The strategy's part of a cycle: from the seats that can be steered to their new weights.

#include "monitord/seat.hpp"

namespace lvs::monitord {

/// Runs the strategy on the seats that are not settled and settles them. Beside members that are
/// held, the steered ones share out what they have together, in the scale that is there, so that
/// the held ones keep their share.
void steer(Seats& seats, const PoolContext& context);

}  // namespace lvs::monitord
