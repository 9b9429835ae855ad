#pragma once

// What people ordered, for one pool; and which orders have come to their end.

#include <string>
#include <vector>

#include "monitord/seat.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {

/// `monitorctl pin`: the weight as told, whatever the boundary says.
void settle_pins(Seats& seats, const PoolContext& context);

/// `monitorctl pause` and `restore`: everybody who is left.
void settle_pause(Seats& seats, const PoolContext& context);

/// Takes out of `tracking.next.orders` what is over: pins whose time has come, pins and drains that
/// somebody else overrode (unless the service says `foreign: reassert`), and turns a restore that
/// is done into a pause. A sentence for people about each.
std::vector<std::string> end_orders(Tracking& tracking, Moment now, const Config& config);

}  // namespace lvs::monitord
