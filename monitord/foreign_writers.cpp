#include "monitord/foreign_writers.hpp"

#include <chrono>

namespace lvs::monitord {
namespace {

constexpr Moment between_reassertions = std::chrono::minutes{1};

void reassert(Seat& seat, const DestinationState& known, Moment now) {
  bool const too_soon = known.reasserted_at && now - *known.reasserted_at < between_reassertions;
  if (too_soon) return settle(seat, Outcome::foreign);
  seat.verdict.target = known.reassert;
  seat.verdict.write = known.reassert;
  seat.urgent = true;
  settle(seat, Outcome::reasserted);
}

}  // namespace

void settle_foreign(Seats& seats, const PoolContext& context) {
  for (auto& seat : seats) {
    if (seat.settled) continue;
    auto const& known = context.service.destinations.at(seat.verdict.destination);
    if (known.reassert) {
      seat.verdict.target = known.reassert;
      reassert(seat, known, context.seen.now);
    } else if (seat.sighting->foreign) {
      settle(seat, Outcome::foreign);
    }
  }
}

}  // namespace lvs::monitord
