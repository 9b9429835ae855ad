#include "monitord/pool_decision.hpp"

#include <algorithm>
#include <chrono>

#include "loadcalc/saturation.hpp"
#include "loadcalc/scheduler.hpp"
#include "monitord/foreign_writers.hpp"
#include "monitord/guards.hpp"
#include "monitord/learning.hpp"
#include "monitord/own_zeros.hpp"
#include "monitord/seat.hpp"
#include "monitord/standing_orders.hpp"
#include "monitord/steering.hpp"

namespace lvs::monitord {
namespace {

constexpr Moment cut_stands_for = std::chrono::seconds{60};

/// Outcomes that hold whatever the readings say, the strongest first.
void settle_hands_off(Seats& seats, const PoolContext& context, DrainBudget& budget) {
  auto const& service = *context.sighting.service;
  if (!is_managed(context.config, service.key)) {
    settle_let_go(seats, context);
    return settle_rest(seats, Outcome::unmanaged);
  }
  settle_zeros(seats, context);
  settle_hand_drains(seats, context, budget);
  settle_pins(seats, context);
  settle_pause(seats, context);
  if (!loadcalc::uses_weights(service.scheduler)) {
    return settle_rest(seats, Outcome::weights_ignored);
  }
  settle_foreign(seats, context);
  settle_agent_drains(seats, context, budget);
}

bool cut_saturated(Seat& seat, const Policy& policy) {
  auto const& verdict = seat.verdict;
  if (verdict.reading == ReadingState::none) return false;
  if (!piles_up(seat.sighting->before, verdict.active)) return false;
  auto const cut = cut_weight(verdict.current, policy.weights);
  // Somebody may have set less than `weights: min`: no cut makes more of it.
  return cut < verdict.current && propose(seat, cut);
}

/// A base that drowned the server once would do so again: the cut stands for a while.
bool recovers_from_cut(const Seat& seat, Moment now) {
  auto const& cut_at = seat.sighting->before.cut_at;
  return cut_at && now - *cut_at < cut_stands_for;
}

/// In a frozen pool the few that answer are cut when they drown, and nothing else.
void settle_frozen(Seat& seat, const Policy& policy) {
  auto const& limits = policy.relief;
  bool const saturated =
      seat.measures &&
      loadcalc::is_saturated(*seat.measures, limits.saturation_cpu, limits.memory_reserve);
  if (saturated && cut_saturated(seat, policy)) {
    seat.urgent = true;
    return settle(seat, Outcome::saturated_cut);
  }
  seat.verdict.target.reset();
  settle(seat, Outcome::frozen);
}

/// Half the way back to the base.
void settle_towards_base(Seat& seat, const Seats& seats, const Policy& policy) {
  auto& verdict = seat.verdict;
  auto const base = base_among(seats, seat, policy);
  if (!propose(seat, base)) return settle_within_boundary(seat);
  // Half the way from a foreign weight above the range may be above it still.
  verdict.write = std::clamp(step_to_base(verdict.current, base, policy.boundary),
                             policy.weights.min, policy.weights.max);
  settle(seat, Outcome::silent_base);
}

/// The hold is over.
void settle_silent_for_long(Seat& seat, const Seats& seats, const PoolContext& context,
                            DrainBudget& budget) {
  switch (context.policy.on_silence) {
    case SilencePolicy::base:
      return settle_towards_base(seat, seats, context.policy);
    case SilencePolicy::drain:
      if (drain_silent(seat, context, budget)) return;
      break;
    case SilencePolicy::hold:
      break;
  }
  settle(seat, Outcome::silent_hold);
}

void settle_silent(Seat& seat, const Seats& seats, bool frozen, const PoolContext& context,
                   DrainBudget& budget) {
  auto& verdict = seat.verdict;
  if (cut_saturated(seat, context.policy)) {
    seat.urgent = true;
    return settle(seat, Outcome::saturated_cut);
  }
  verdict.target.reset();
  if (verdict.reading == ReadingState::none) return settle(seat, Outcome::no_reading);
  if (frozen) return settle(seat, Outcome::frozen);
  if (verdict.reading == ReadingState::stale || recovers_from_cut(seat, context.seen.now)) {
    return settle(seat, Outcome::silent_hold);
  }
  settle_silent_for_long(seat, seats, context, budget);
}

/// Settles everybody who cannot be compared with others now.
void settle_without_measures(Seats& seats, const PoolContext& context, DrainBudget& budget) {
  bool const frozen = is_frozen(seats);
  bool const blind =
      context.service.counters_frozen && context.policy.strategy == StrategyKind::capacity;
  for (auto& seat : seats) {
    if (seat.settled) continue;
    if (is_silent(seat)) {
      settle_silent(seat, seats, frozen, context, budget);
    } else if (frozen) {
      settle_frozen(seat, context.policy);
    } else if (!seat.measures) {
      settle(seat, Outcome::unknown_reading);
    } else if (blind) {
      settle(seat, Outcome::counters_frozen);
    }
  }
}

/// Readings of servers whose load comes from elsewhere close no loop.
void settle_standby(Seats& seats, const PoolContext& context) {
  bool const keeps = context.policy.standby == StandbyPolicy::keep;
  if (keeps && context.service.standby) settle_rest(seats, Outcome::standby);
}

void settle_alone(Seats& seats) {
  auto const steered = std::ranges::count_if(seats, [](const Seat& s) { return !s.settled; });
  if (steered != 1) return;
  for (auto& seat : seats) {
    if (!seat.settled) settle(seat, Outcome::alone);
  }
}

/// All writes of a service go together, and not too often: under wrr each restarts the walk.
void keep_write_interval(Seats& seats, const PoolContext& context) {
  auto const& last = context.service.last_write;
  bool const urgent = std::ranges::any_of(seats, [](const Seat& s) { return s.urgent; });
  if (!last || urgent || context.seen.now - *last >= context.policy.min_write_interval) return;
  for (auto& seat : seats) {
    if (!seat.verdict.write) continue;
    seat.verdict.write.reset();
    settle(seat, Outcome::waiting);
  }
}

}  // namespace

std::vector<Verdict> pool_verdicts(const ServiceSighting& sighting, const State& state,
                                   const Observations& seen, const Config& config) {
  auto const& key = sighting.service->key;
  PoolContext const context{sighting, state.services.at(key), state, seen,
                            config,   policy_of(config, key)};
  auto seats = seats_from_sighting(context);
  DrainBudget budget(seats);
  settle_hands_off(seats, context, budget);
  settle_without_measures(seats, context, budget);
  settle_standby(seats, context);
  settle_alone(seats);
  steer(seats, context);
  keep_write_interval(seats, context);
  std::vector<Verdict> verdicts;
  verdicts.reserve(seats.size());
  for (auto& seat : seats)
    verdicts.push_back(std::move(seat.verdict));
  return verdicts;
}

}  // namespace lvs::monitord
