#include "monitord/own_zeros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lvs::monitord {
namespace {

bool is_ordered_to_drain(const Seat& seat, const PoolContext& context) {
  return context.state.orders.drains.contains(
      DestinationId{seat.verdict.service, seat.verdict.destination});
}

bool is_overridden(const Seat& seat, const PoolContext& context) {
  return context.service.destinations.at(seat.verdict.destination).zero_overridden;
}

/// Silence takes nobody out whose peers have gone meanwhile: silence is not death, and a pool at
/// all zero refuses everybody. Who asked for a drain was asked by a person.
bool is_needed(const Seats& seats) {
  return std::ranges::none_of(seats, [](const Seat& seat) { return seat.verdict.current > 0; });
}

/// The reason for the zero still holds. A server that asked for its drain and then went away has
/// not taken the wish back.
bool is_still_meant(const Seat& seat, const Seats& seats, ZeroCause cause,
                    const PoolContext& context) {
  bool const answers = seat.verdict.reading == ReadingState::fresh;
  switch (cause) {
    case ZeroCause::hand:
      return false;  // the order itself was asked for before
    case ZeroCause::silence:
      return context.policy.on_silence == SilencePolicy::drain && !answers && !is_needed(seats);
    case ZeroCause::agent:
      return context.policy.agent_drain && (seat.verdict.asks_drain || !answers);
  }
  return false;
}

Outcome outcome_of(ZeroCause cause) {
  switch (cause) {
    case ZeroCause::hand:
      return Outcome::hand_drain;
    case ZeroCause::silence:
      return Outcome::silent_drain;
    case ZeroCause::agent:
      return Outcome::agent_drain;
  }
  return Outcome::hand_drain;
}

/// Where a destination starts that comes back: what slow start grants to a newcomer.
std::uint32_t first_weight(const Seats& seats, const Seat& seat, const Policy& policy) {
  auto const share = loadcalc::slow_start_share(0, policy.guards.slow_start_s);
  auto const base = static_cast<double>(base_among(seats, seat, policy));
  auto const least = std::max(1U, policy.weights.min);
  return std::max(least, static_cast<std::uint32_t>(std::ceil(share * base)));
}

void write_zero(Seat& seat, ZeroCause cause) {
  seat.verdict.target = 0;
  seat.verdict.write = 0;
  seat.verdict.own_zero = cause;
  seat.urgent = true;
  settle(seat, outcome_of(cause));
}

/// The steps after the first one will come: it is steered, and beside others.
bool is_taken_up(const Seats& seats, const Seat& seat, const PoolContext& context) {
  bool const stands_by = context.service.standby && context.policy.standby == StandbyPolicy::keep;
  bool const steered = !is_silent(seat) && !stands_by && !is_frozen(seats) &&
                       !pause_of(context.state.orders, seat.verdict.service);
  return steered && std::ranges::any_of(seats, [](const Seat& other) {
           return other.verdict.current > 0 && !is_silent(other);
         });
}

/// With slow start only where that goes on: a healthy server must not be left at a fifth of its
/// base.
std::uint32_t weight_on_return(const Seats& seats, const Seat& seat, const PoolContext& context) {
  auto const first = first_weight(seats, seat, context.policy);
  if (is_taken_up(seats, seat, context)) return first;
  return std::max(first, base_among(seats, seat, context.policy));
}

void undo(Seat& seat, const Seats& seats, const PoolContext& context) {
  seat.verdict.target = weight_on_return(seats, seat, context);
  seat.verdict.write = seat.verdict.target;
  seat.urgent = true;
  settle(seat, Outcome::undrain);
}

/// Nobody will raise it step by step: the whole base, whatever slow start says.
void give_back(Seat& seat) {
  auto& verdict = seat.verdict;
  verdict.target = std::max(1U, verdict.base);
  verdict.write = verdict.target;
  seat.urgent = true;
  settle(seat, Outcome::undrain);
  verdict.reason = fmt::format(
      "monitord does not steer this service any more: its own 0 ends, back with the base weight {}",
      *verdict.target);
}

/// An order by hand stands over everything; monitord's own reasons do not over a restore.
void settle_own_zero(Seat& seat, const Seats& seats, ZeroCause cause, const PoolContext& context) {
  auto const pause = pause_of(context.state.orders, seat.verdict.service);
  if (is_ordered_to_drain(seat, context)) return settle(seat, Outcome::hand_drain);
  bool const meant = is_still_meant(seat, seats, cause, context) && pause != Pause::restoring;
  if (meant) return settle(seat, outcome_of(cause));
  if (pause == Pause::paused && cause != ZeroCause::hand) return settle(seat, Outcome::paused);
  undo(seat, seats, context);
}

}  // namespace

bool DrainBudget::take_by_hand() {
  if (weighted_ <= 1) return false;
  --weighted_;
  return true;
}

bool DrainBudget::take_by_itself() {
  auto const zeros = size_ - weighted_;
  return 2 * (zeros + 1) <= size_ && take_by_hand();
}

void settle_zeros(Seats& seats, const PoolContext& context) {
  for (auto& seat : seats) {
    if (seat.settled || seat.verdict.current != 0) continue;
    if (seat.verdict.own_zero) {
      settle_own_zero(seat, seats, *seat.verdict.own_zero, context);
    } else {
      settle(seat, Outcome::drained);
    }
  }
}

void settle_let_go(Seats& seats, const PoolContext& context) {
  bool const paused =
      pause_of(context.state.orders, context.sighting.service->key) == Pause::paused;
  for (auto& seat : seats) {
    auto const& own_zero = seat.verdict.own_zero;
    if (seat.verdict.current != 0 || !own_zero) continue;
    if (is_ordered_to_drain(seat, context)) {
      settle(seat, Outcome::hand_drain);
    } else if (paused && *own_zero != ZeroCause::hand) {
      settle(seat, Outcome::paused);
    } else {
      give_back(seat);
    }
  }
}

void settle_hand_drains(Seats& seats, const PoolContext& context, DrainBudget& budget) {
  for (auto& seat : seats) {
    if (seat.settled || !is_ordered_to_drain(seat, context)) continue;
    if (budget.take_by_hand()) {
      write_zero(seat, ZeroCause::hand);
    } else {
      settle(seat, Outcome::hand_drain);
    }
  }
}

void settle_agent_drains(Seats& seats, const PoolContext& context, DrainBudget& budget) {
  // In a frozen pool those who still answer are what is known to serve.
  if (!context.policy.agent_drain || is_frozen(seats)) return;
  for (auto& seat : seats) {
    bool const asked = seat.verdict.reading == ReadingState::fresh && seat.verdict.asks_drain;
    if (seat.settled || !asked || is_overridden(seat, context)) continue;
    if (budget.take_by_itself()) {
      write_zero(seat, ZeroCause::agent);
    } else {
      settle(seat, Outcome::agent_drain);
    }
  }
}

bool drain_silent(Seat& seat, const PoolContext& context, DrainBudget& budget) {
  bool const heard = seat.verdict.age_s.has_value();
  if (!heard || is_overridden(seat, context) || !budget.take_by_itself()) return false;
  write_zero(seat, ZeroCause::silence);
  return true;
}

}  // namespace lvs::monitord
