#include "monitord/steering.hpp"

#include <algorithm>
#include <numeric>

#include "loadcalc/learned_capacity.hpp"
#include "loadcalc/quantise.hpp"
#include "loadcalc/relief.hpp"
#include "loadcalc/small_integers.hpp"
#include "monitord/guards.hpp"
#include "monitord/strategies.hpp"
#include "monitord/target_guards.hpp"

namespace lvs::monitord {
namespace {

/// What the same strategy wanted in the last cycle.
std::optional<double> standing_of(const Seat& seat, const Policy& policy) {
  auto const& wished = seat.sighting->before.wished;
  if (!wished || wished->by != policy.strategy) return std::nullopt;
  return wished->weight;
}

loadcalc::Pool pool_from_seats(const Seats& seats, const PoolContext& context) {
  loadcalc::Pool pool;
  pool.weight_use = loadcalc::weight_use(context.sighting.service->scheduler);
  pool.range = context.policy.weights;
  pool.scheduler = context.sighting.service->scheduler;
  pool.arrivals = context.service.arrivals;
  pool.ratio_exponent = context.service.ratio_exponent;
  for (auto const& seat : seats) {
    if (seat.settled) continue;
    loadcalc::Member member;
    member.base = std::max(1U, seat.verdict.base);
    member.current = seat.verdict.current;
    member.measures = seat.measures;
    member.further = seat.verdict.further;
    member.input = seat.verdict.input;
    member.completed = seat.verdict.completed;
    member.standing = standing_of(seat, context.policy);
    member.active = seat.verdict.active;
    auto const server = context.state.servers.find(seat.verdict.destination.address);
    if (server != context.state.servers.end()) member.model = server->second.model;
    pool.members.push_back(member);
  }
  return pool;
}

/// What the quantiser works on: the steered members, and whose scale their weights are in.
struct Wish {
  enum class Scale {
    pool,     ///< only ratios matter: the quantiser chooses
    held,     ///< beside members that keep their weight: the scale that is there
    literal,  ///< the strategy's targets are weights
  };
  std::vector<double> targets{};
  std::vector<std::uint32_t> current{}, bases{};
  loadcalc::WeightUse use{};
  Scale scale{};
};

std::vector<std::uint32_t> integers(const Wish& wish, const std::vector<double>& targets,
                                    const Policy& policy) {
  // As the quantiser does: a server that misses a poll is no reason to round the others anew.
  if (wish.scale == Wish::Scale::held &&
      loadcalc::largest_share_error(wish.current, targets) <= loadcalc::keep_share) {
    return wish.current;
  }
  if (wish.scale != Wish::Scale::pool) return loadcalc::rounded(targets, policy.weights);
  return loadcalc::quantised(targets, wish.current, wish.bases, wish.use, policy.weights,
                             policy.boundary);
}

/// Targets in the very ratios of the bases become the bases, and a part of the way there may come
/// out at another scale, beyond its end: who went there would be sent back in the next cycle.
void keep_on_the_way(const std::vector<std::uint32_t>& current,
                     const std::vector<std::uint32_t>& whole_way,
                     std::vector<std::uint32_t>& part_way) {
  for (std::size_t i = 0; i < part_way.size(); ++i) {
    auto const [low, high] = std::minmax(current[i], whole_way[i]);
    part_way[i] = std::clamp(part_way[i], low, high);
  }
}

/// Fast down, slow up; but a small step that rounds to nothing is taken whole, else the weights
/// would stop short of their target.
std::vector<std::uint32_t> stepped_integers(const Wish& wish, const Policy& policy) {
  auto whole_way = integers(wish, wish.targets, policy);
  if (whole_way == wish.current) return whole_way;
  auto part = wish.targets;
  for (std::size_t i = 0; i < part.size(); ++i) {
    part[i] = damped(static_cast<double>(wish.current[i]), part[i], policy.up_step);
  }
  auto part_way = integers(wish, part, policy);
  if (wish.use != loadcalc::WeightUse::share) keep_on_the_way(wish.current, whole_way, part_way);
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

Wish::Scale scale_of(const loadcalc::Pool& pool, const Policy& policy, bool whole) {
  bool const is_share = pool.weight_use == loadcalc::WeightUse::share;
  // Only wrr has a reason to change the scale of targets that are weights.
  auto const sort = strategy_of(policy.strategy).sort;
  if (sort == loadcalc::TargetSort::weights && !is_share) return Wish::Scale::literal;
  return whole ? Wish::Scale::pool : Wish::Scale::held;
}

Wish wish_from_targets(const loadcalc::Pool& pool, const std::vector<loadcalc::Target>& targets,
                       Wish::Scale scale) {
  Wish wish;
  wish.use = pool.weight_use;
  wish.scale = scale;
  for (auto const& member : pool.members) {
    wish.current.push_back(member.current);
    wish.bases.push_back(member.base);
  }
  for (auto const& target : targets)
    wish.targets.push_back(target.weight);
  if (scale != Wish::Scale::literal) scale_to_current(wish);
  return wish;
}

void relieve_targets(const loadcalc::Pool& pool, const Policy& policy, Wish::Scale scale,
                     std::vector<loadcalc::Target>& targets) {
  auto sort = strategy_of(policy.strategy).sort;
  bool const literal = scale == Wish::Scale::literal;
  if (sort == loadcalc::TargetSort::weights && !literal) sort = loadcalc::TargetSort::ratios;
  auto const& evidence = policy.capacity;
  auto const capacities =
      loadcalc::learned_capacities(pool, evidence.learning.minimum_completions, evidence.prior);
  loadcalc::relieve(pool, capacities, policy.relief, sort, targets);
}

void settle_steered(Seat& seat, const loadcalc::Target& target, std::uint32_t weight) {
  seat.verdict.capacity = target.capacity;
  seat.verdict.correction = target.correction;
  seat.verdict.score = target.score;
  seat.verdict.terms = target.terms;
  seat.verdict.note = target.note;
  if (propose(seat, weight)) {
    seat.urgent = target.saturated && weight < seat.verdict.current;
    settle(seat, Outcome::change);
  } else {
    settle_within_boundary(seat);
  }
}

}  // namespace

void steer(Seats& seats, const PoolContext& context) {
  auto const& policy = context.policy;
  auto pool = pool_from_seats(seats, context);
  if (pool.members.empty()) return;
  auto const& strategy = strategy_of(policy.strategy);
  if (strategy.exponent != nullptr) pool.ratio_exponent = strategy.exponent(pool, policy);
  auto const targets = strategy.targets(pool, policy);
  auto const note = strategy.pool_note == nullptr ? "" : strategy.pool_note(targets, policy);
  bool const whole = pool.members.size() == weighted_count(seats);
  auto const scale = scale_of(pool, policy, whole);
  auto guarded = targets;
  relieve_targets(pool, policy, scale, guarded);
  guard_targets(seats, context, pool, guarded);
  auto wish = wish_from_targets(pool, guarded, scale);
  keep_within_steps(wish.current, wish.use, policy.guards, wish.targets);
  auto const weights = stepped_integers(wish, policy);
  std::size_t next = 0;
  for (auto& seat : seats) {
    if (seat.settled) continue;
    seat.verdict.pool_note = note;
    seat.verdict.ratio_exponent = pool.ratio_exponent;
    seat.verdict.wish = targets[next].weight;  // the strategy's own, whatever the guards made of it
    seat.verdict.eased = guarded[next].weight;
    seat.verdict.scaled = wish.targets[next];
    settle_steered(seat, guarded[next], weights[next]);
    ++next;
  }
}

}  // namespace lvs::monitord
