#pragma once

// What happens to a weight that somebody else wrote (law 12).

#include "monitord/seat.hpp"

namespace lvs::monitord {

/// `foreign: adopt`: seen, told once, steered on from there in the next cycle. `foreign: reassert`:
/// the weight before is put back, at most once a minute: two programs that both insist must not
/// flap a server at the rate of the polls.
void settle_foreign(Seats& seats, const PoolContext& context);

}  // namespace lvs::monitord
