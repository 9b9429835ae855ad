#include "monitord/pool_decision.hpp"

#include <algorithm>
#include <numeric>

#include "loadcalc/quantise.hpp"
#include "monitord/guards.hpp"
#include "monitord/learning.hpp"
#include "monitord/reasons.hpp"

namespace lvs::monitord {
namespace {

/// A destination on its way through the rules. `settled` seats are not steered any more.
struct Seat {
  const Sighting* sighting{};
  Verdict verdict{};
  std::optional<loadcalc::Measures> measures{};
  bool settled{};
  bool urgent{};  ///< a cut that does not wait for min_write_interval
};
using Seats = std::vector<Seat>;

void settle(Seat& seat, Outcome outcome) {
  seat.verdict.outcome = outcome;
  seat.verdict.reason = reason_for(seat.verdict);
  seat.settled = true;
}

const Policy& policy_of(const PoolContext& context) {
  auto const* const listed = service_config(context.config, context.sighting.service->key);
  return listed == nullptr ? context.config.defaults : listed->policy;
}

const Reading* reading_of(const PoolContext& context, const ipvs::IpAddress& address) {
  auto const found = context.seen.readings.find(address);
  return found == context.seen.readings.end() ? nullptr : &found->second;
}

std::string server_name(const Config& config, const ipvs::IpAddress& address) {
  auto const found = config.servers.find(address);
  if (found != config.servers.end() && found->second.name) return *found->second.name;
  return ipvs::string_from_ip_address(address);
}

void describe_reading(Seat& seat, const Reading& reading, const PoolContext& context,
                      const Policy& policy) {
  auto& verdict = seat.verdict;
  verdict.age_s = std::chrono::duration<double>(context.seen.now - reading.taken).count();
  verdict.cpu_busy = reading.cpu_busy;
  verdict.mem_available = reading.mem_available;
  seat.measures = usable_measures(&reading, context.seen.now, context.config);
  if (!seat.measures) return;
  auto const& shares =
      policy.strategy == StrategyKind::headroom ? policy.headroom.shares : policy.capacity.shares;
  verdict.composite = loadcalc::composite_load(*seat.measures, shares);
}

Seat seat_from_sighting(const Sighting& sighting, const PoolContext& context,
                        const Policy& policy) {
  auto const& kernel = *sighting.kernel;
  auto const& known = context.service.destinations.at(kernel.key);
  Seat seat;
  seat.sighting = &sighting;
  auto& verdict = seat.verdict;
  verdict.service = context.sighting.service->key;
  verdict.destination = kernel.key;
  verdict.scheduler = context.sighting.service->scheduler;
  verdict.server = server_name(context.config, kernel.key.address);
  verdict.forwarding = kernel.forwarding;
  verdict.base = known.base;
  verdict.current = kernel.weight;
  verdict.boundary = loadcalc::boundary_width(policy.boundary, kernel.weight);
  verdict.new_connections = sighting.new_connections;
  verdict.completed = sighting.completed;
  verdict.active = kernel.active_connections;
  verdict.inactive = kernel.inactive_connections;
  auto const* const reading = reading_of(context, kernel.key.address);
  verdict.reading = reading_state(reading, context.seen.now, known.first_seen, context.config);
  if (reading != nullptr) describe_reading(seat, *reading, context, policy);
  return seat;
}

void fill_input(Seats& seats) {
  std::vector<std::uint64_t> counts;
  for (auto const& seat : seats) {
    if (seat.verdict.current > 0) counts.push_back(seat.verdict.new_connections);
  }
  auto const input = loadcalc::input_index(counts);
  auto next = input.begin();
  for (auto& seat : seats) {
    if (seat.verdict.current > 0) seat.verdict.input = *next++;
  }
}

/// Outcomes that hold whatever the readings say.
void settle_hands_off(Seats& seats, const PoolContext& context) {
  bool const managed = !context.config.services ||
                       service_config(context.config, context.sighting.service->key) != nullptr;
  bool const steerable = loadcalc::uses_weights(context.sighting.service->scheduler);
  for (auto& seat : seats) {
    if (!managed) {
      settle(seat, Outcome::unmanaged);
    } else if (seat.verdict.current == 0) {
      settle(seat, Outcome::drained);
    } else if (!steerable) {
      settle(seat, Outcome::weights_ignored);
    } else if (seat.sighting->foreign) {
      settle(seat, Outcome::foreign);
    }
  }
}

bool is_silent(const Seat& seat) {
  return seat.verdict.reading != ReadingState::fresh;
}

/// More than half of the destinations with weight > 0 say nothing: we are half blind.
bool is_frozen(const Seats& seats) {
  auto const weighted = std::ranges::count_if(seats, [](auto& s) { return s.verdict.current > 0; });
  auto const silent =
      std::ranges::count_if(seats, [](auto& s) { return s.verdict.current > 0 && is_silent(s); });
  return 2 * silent > weighted;
}

/// A write towards `target` if it is worth one. Returns true when it is.
bool propose(Seat& seat, std::uint32_t target, const Policy& policy) {
  auto& verdict = seat.verdict;
  verdict.target = target;
  if (!loadcalc::exceeds_boundary(policy.boundary, verdict.current, target)) return false;
  verdict.write = target;
  return true;
}

void settle_within_boundary(Seat& seat) {
  settle(seat, seat.verdict.target == seat.verdict.current ? Outcome::unchanged
                                                           : Outcome::within_boundary);
}

void settle_silent(Seat& seat, bool frozen, const Policy& policy) {
  auto const& verdict = seat.verdict;
  if (verdict.reading != ReadingState::none && piles_up(seat.sighting->before, verdict.active) &&
      propose(seat, cut_weight(verdict.current, policy.weights), policy)) {
    seat.urgent = true;
    return settle(seat, Outcome::saturated_cut);
  }
  seat.verdict.target.reset();
  if (frozen) return settle(seat, Outcome::frozen);
  if (verdict.reading == ReadingState::none) return settle(seat, Outcome::no_reading);
  if (verdict.reading == ReadingState::stale) return settle(seat, Outcome::silent_hold);
  auto const base = std::clamp(verdict.base, policy.weights.min, policy.weights.max);
  if (!propose(seat, base, policy)) return settle_within_boundary(seat);
  seat.verdict.write = step_to_base(verdict.current, base, policy.boundary);
  settle(seat, Outcome::silent_base);
}

void settle_without_measures(Seats& seats, const PoolContext& context, const Policy& policy) {
  bool const frozen = is_frozen(seats);
  bool const blind = counters_are_frozen(context.service);
  for (auto& seat : seats) {
    if (seat.settled) continue;
    if (is_silent(seat)) {
      settle_silent(seat, frozen, policy);
    } else if (frozen) {
      settle(seat, Outcome::frozen);
    } else if (!seat.measures) {
      settle(seat, Outcome::unknown_reading);
    } else if (blind && policy.strategy == StrategyKind::capacity) {
      settle(seat, Outcome::counters_frozen);
    }
  }
  auto const steered = std::ranges::count_if(seats, [](auto& s) { return !s.settled; });
  if (steered != 1) return;
  for (auto& seat : seats) {
    if (!seat.settled) settle(seat, Outcome::alone);
  }
}

loadcalc::Pool pool_from_seats(const Seats& seats, const PoolContext& context,
                               const Policy& policy) {
  loadcalc::Pool pool;
  pool.weight_use = loadcalc::weight_use(context.sighting.service->scheduler);
  pool.range = policy.weights;
  for (auto const& seat : seats) {
    if (seat.settled) continue;
    loadcalc::Member member;
    member.base = std::max(1U, seat.verdict.base);
    member.current = seat.verdict.current;
    member.measures = seat.measures;
    auto const server = context.state.servers.find(seat.verdict.destination.address);
    if (server != context.state.servers.end()) member.model = server->second.model;
    pool.members.push_back(member);
  }
  return pool;
}

/// What the quantiser works on: the steered members, and whether they are the whole pool.
struct Wish {
  std::vector<double> targets;
  std::vector<std::uint32_t> current, bases;
  loadcalc::WeightUse use{};
  bool whole{};
};

/// Integers for a wish. Beside members that are held, the steered ones share out what they have
/// together, in the scale that is there, so that the held ones keep their share.
std::vector<std::uint32_t> integers(const Wish& wish, const std::vector<double>& targets,
                                    const Policy& policy) {
  if (wish.whole) {
    return loadcalc::quantised(targets, wish.current, wish.bases, wish.use, policy.weights);
  }
  std::vector<std::uint32_t> result;
  for (auto const target : targets) {
    auto const bounded = std::clamp(target, static_cast<double>(policy.weights.min),
                                    static_cast<double>(policy.weights.max));
    result.push_back(static_cast<std::uint32_t>(bounded + 0.5));
  }
  return result;
}

/// Fast down, slow up; but a small step that rounds to nothing is taken whole, else the weights
/// would stop short of their target.
std::vector<std::uint32_t> stepped_integers(const Wish& wish, const Policy& policy) {
  auto const whole_way = integers(wish, wish.targets, policy);
  if (whole_way == wish.current) return whole_way;
  auto part = wish.targets;
  for (std::size_t i = 0; i < part.size(); ++i) {
    part[i] = damped(static_cast<double>(wish.current[i]), part[i], policy.up_step);
  }
  auto const part_way = integers(wish, part, policy);
  return part_way == wish.current ? whole_way : part_way;
}

/// Targets in the scale of the current weights: their sum is the current sum.
void scale_to_current(Wish& wish) {
  auto const wanted = std::accumulate(wish.targets.begin(), wish.targets.end(), 0.0);
  auto const there = std::accumulate(wish.current.begin(), wish.current.end(), 0.0);
  if (!(wanted > 0)) return;
  for (auto& target : wish.targets)
    target *= there / wanted;
}

void record_target(Seat& seat, const loadcalc::Target& target, std::uint32_t weight,
                   const Policy& policy) {
  seat.verdict.capacity = target.capacity;
  seat.verdict.correction = target.correction;
  if (propose(seat, weight, policy)) {
    seat.urgent = target.saturated && weight < seat.verdict.current;
    settle(seat, Outcome::change);
  } else {
    settle_within_boundary(seat);
  }
}

void steer(Seats& seats, const PoolContext& context, const Policy& policy) {
  auto const pool = pool_from_seats(seats, context, policy);
  if (pool.members.empty()) return;
  auto const targets = policy.strategy == StrategyKind::headroom
                           ? loadcalc::headroom_targets(pool, policy.headroom)
                           : loadcalc::capacity_targets(pool, policy.capacity);
  Wish wish;
  wish.use = pool.weight_use;
  for (auto const& member : pool.members) {
    wish.current.push_back(member.current);
    wish.bases.push_back(member.base);
  }
  for (auto const& target : targets)
    wish.targets.push_back(target.weight);
  auto const weighted = std::ranges::count_if(seats, [](auto& s) { return s.verdict.current > 0; });
  wish.whole = static_cast<std::size_t>(weighted) == pool.members.size();
  scale_to_current(wish);
  auto const weights = stepped_integers(wish, policy);
  std::size_t next = 0;
  for (auto& seat : seats) {
    if (seat.settled) continue;
    record_target(seat, targets[next], weights[next], policy);
    ++next;
  }
}

/// All writes of a service go together, and not too often: under wrr each restarts the walk.
void keep_write_interval(Seats& seats, const PoolContext& context, const Policy& policy) {
  auto const& last = context.service.last_write;
  bool const urgent = std::ranges::any_of(seats, [](auto& s) { return s.urgent; });
  if (!last || urgent || context.seen.now - *last >= policy.min_write_interval) return;
  for (auto& seat : seats) {
    if (!seat.verdict.write) continue;
    seat.verdict.write.reset();
    settle(seat, Outcome::waiting);
  }
}

}  // namespace

std::vector<Verdict> pool_verdicts(const PoolContext& context) {
  auto const& policy = policy_of(context);
  Seats seats;
  for (auto const& sighting : context.sighting.destinations) {
    seats.push_back(seat_from_sighting(sighting, context, policy));
  }
  fill_input(seats);
  settle_hands_off(seats, context);
  settle_without_measures(seats, context, policy);
  steer(seats, context, policy);
  keep_write_interval(seats, context, policy);
  std::vector<Verdict> verdicts;
  for (auto& seat : seats)
    verdicts.push_back(std::move(seat.verdict));
  return verdicts;
}

}  // namespace lvs::monitord
