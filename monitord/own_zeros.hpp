#pragma once

// Zeros that monitord may set and undo: its own ones. Everybody else's are left alone (law 1).

#include <cstddef>

#include "monitord/seat.hpp"

namespace lvs::monitord {

/// How many of a pool's destinations may go to 0. The kernel refuses all connections of a pool
/// that is at 0 as a whole.
class DrainBudget {
 public:
  explicit DrainBudget(const Seats& seats)
      : size_(seats.size()), weighted_(weighted_count(seats)) {}

  /// By hand: never the last one.
  bool take_by_hand();
  /// By monitord itself: neither the last one, nor more than half of the pool at 0, whoever set
  /// the others to 0.
  bool take_by_itself();

 private:
  std::size_t size_;
  std::size_t weighted_;  ///< that would keep a weight > 0
};

/// Everybody at weight 0: drained by somebody else, kept at 0, or undone.
void settle_zeros(Seats& seats, const PoolContext& context);

/// In a service that is not managed: nobody looks whether their reason is gone, so monitord's own
/// zeros end at once and with the base weight. A drain or a pause by hand stands there, too.
void settle_let_go(Seats& seats, const PoolContext& context);

/// `monitorctl drain`.
void settle_hand_drains(Seats& seats, const PoolContext& context, DrainBudget& budget);

/// `agent_drain: true` and an agent that asks for it.
void settle_agent_drains(Seats& seats, const PoolContext& context, DrainBudget& budget);

/// `on_silence: drain` for a server that was heard before; false: it may not.
bool drain_silent(Seat& seat, const PoolContext& context, DrainBudget& budget);

}  // namespace lvs::monitord
