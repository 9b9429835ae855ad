// What relief takes off the targets of any strategy.

#include "loadcalc/relief.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "loadcalc/capacity.hpp"
#include "loadcalc/feedback.hpp"
#include "loadcalc/headroom.hpp"
#include "loadcalc/learned_capacity.hpp"
#include "loadcalc/linear.hpp"
#include "loadcalc/response.hpp"
#include "loadcalc/saturation.hpp"
#include "support/catch.hpp"

namespace {

using lvs::loadcalc::cut_weight;
using lvs::loadcalc::Measures;
using lvs::loadcalc::Member;
using lvs::loadcalc::Pool;
using lvs::loadcalc::relieve;
using lvs::loadcalc::Target;
using lvs::loadcalc::TargetSort;
using lvs::loadcalc::WeightUse;
using Numbers = std::vector<double>;

Pool pool_of(const std::vector<Measures>& measures, WeightUse use = WeightUse::share) {
  Pool pool;
  pool.weight_use = use;
  pool.arrivals = 150;
  for (auto const& measure : measures) {
    Member member;
    member.base = member.current = 20;
    member.measures = measure;
    pool.members.push_back(member);
  }
  return pool;
}

std::vector<Target> targets_of(const Numbers& weights) {
  std::vector<Target> targets(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    targets[i].weight = weights[i];
  return targets;
}

std::vector<Target> relieved(const Pool& pool, const Numbers& capacities, const Numbers& wanted,
                             TargetSort sort = TargetSort::ratios) {
  auto targets = targets_of(wanted);
  relieve(pool, capacities, {}, sort, targets);
  return targets;
}

double sum_of(const std::vector<Target>& targets) {
  double sum = 0;
  for (auto const& target : targets)
    sum += target.weight;
  return sum;
}

constexpr Measures free_one{0.5, 0.5};
constexpr Measures busy_one{1.0, 0.5};
constexpr Measures paging_one{0.3, 0.02};

TEST_CASE("saturation: a cut stops at a quarter of what is fair") {
  double weight = 100.0;
  for (int i = 0; i < 10; ++i)
    weight = cut_weight(weight, 40.0);
  CHECK(weight == Approx(10.0));
  CHECK(cut_weight(100.0, 40.0) == Approx(20.0));
  CHECK(cut_weight(30.0, 40.0) == Approx(15.0));
  CHECK(cut_weight(5.0, 40.0) == Approx(5.0));
}

TEST_CASE("relief: a backlog is made room for and the others take it") {
  auto pool = pool_of({busy_one, free_one, free_one});
  pool.arrivals = 240;
  pool.members[0].active = 150;
  auto const targets = relieved(pool, {100, 100, 100}, {10, 10, 10});
  // 720 arrivals in 3 cycles: (720 + 150) / 3 each, less the backlog.
  CHECK(targets[0].weight / targets[1].weight == Approx(140.0 / 290));
  CHECK(sum_of(targets) == Approx(30));
  CHECK(targets[0].note == "backlog: cut");
  CHECK(targets[0].saturated);
  CHECK_FALSE(targets[1].saturated);
}

TEST_CASE("relief: literal weights are only cut and in the same ratio") {
  auto pool = pool_of({busy_one, free_one, free_one}, WeightUse::hash_slots);
  pool.arrivals = 240;
  pool.members[0].active = 150;
  auto const targets = relieved(pool, {100, 100, 100}, {10, 10, 10}, TargetSort::weights);
  CHECK(targets[0].weight == Approx(10 * 140.0 / 290));
  CHECK(targets[1].weight == Approx(10));
}

TEST_CASE("relief: nobody is dealt more than it can take") {
  auto const pool = pool_of({free_one, free_one});
  auto const targets = relieved(pool, {100, 300}, {30, 10});
  CHECK(targets[0].weight / sum_of(targets) == Approx(100.0 / 150));
  CHECK(sum_of(targets) == Approx(40));
  CHECK(targets[0].note == "more than it can take: cut");
  // Targets that come from capacities know already.
  auto const known = relieved(pool, {100, 300}, {30, 10}, TargetSort::capacities);
  CHECK(known[0].weight == 30);
  CHECK(known[1].weight == 10);
}

TEST_CASE("relief: without capacities, and where the scheduler looks, queues are left alone") {
  auto pool = pool_of({busy_one, free_one});
  pool.members[0].active = 150;
  CHECK(relieved(pool, {}, {10, 10})[0].weight == 10);
  pool.weight_use = WeightUse::correction;
  CHECK(relieved(pool, {100, 100}, {10, 10})[0].weight == 10);
}

TEST_CASE("relief: a busy server without a backlog is not cut") {
  auto const targets = relieved(pool_of({busy_one, free_one}), {100, 100}, {10, 10});
  CHECK(targets[0].saturated);
  CHECK(targets[0].weight == 10);
}

TEST_CASE("relief: who is short of memory is cut at once under every scheduler") {
  auto const use = GENERATE(WeightUse::share, WeightUse::correction, WeightUse::hash_slots);
  auto const pool = pool_of({paging_one, free_one}, use);
  auto const targets = relieved(pool, {}, {10, 10});
  CHECK(targets[0].weight == 5);
  CHECK(targets[1].weight == Approx(15));
  CHECK(targets[0].note == "short of memory: cut");
  // Literal weights are on the scale of the kernel's.
  auto const literal = relieved(pool, {}, {50, 50}, TargetSort::weights);
  CHECK(literal[0].weight == 12.5);
  CHECK(literal[1].weight == 50);
}

TEST_CASE("relief: where all are short of memory nobody is cut") {
  auto const targets = relieved(pool_of({paging_one, paging_one}), {}, {10, 20});
  CHECK(targets[0].weight == 10);
  CHECK(targets[1].weight == 20);
  CHECK(targets[0].note == "short of memory, as all");
}

TEST_CASE("relief: what the strategy has to say stays") {
  auto targets = targets_of({10, 10});
  targets[0].note = "light";
  relieve(pool_of({paging_one, free_one}), {}, {}, TargetSort::ratios, targets);
  CHECK(targets[0].note == "light; short of memory: cut");
}

TEST_CASE("relief: a full server with a backlog loses share to a free one whatever the strategy") {
  using Function = std::vector<Target> (*)(const Pool&);
  auto const strategy = GENERATE(
      values<Function>({[](const Pool& p) { return lvs::loadcalc::capacity_targets(p, {}); },
                        [](const Pool& p) { return lvs::loadcalc::headroom_targets(p, {}); },
                        [](const Pool& p) { return lvs::loadcalc::feedback_targets(p, {}); },
                        [](const Pool& p) { return lvs::loadcalc::response_targets(p, {}); },
                        [](const Pool& p) { return lvs::loadcalc::linear_targets(p, {}); }}));
  auto pool = pool_of({busy_one, free_one});
  for (auto& member : pool.members) {
    member.model.load = 20;
    member.model.work = 2000;
  }
  pool.arrivals = 80;
  pool.members[0].active = 200;
  auto const before = strategy(pool);
  auto targets = before;
  relieve(pool, lvs::loadcalc::learned_capacities(pool, 20, 0.5), {}, TargetSort::ratios, targets);
  CHECK(targets[0].weight < before[0].weight);
  CHECK(targets[0].weight < 0.6 * targets[1].weight);
}

double fraction() {
  return *rc::gen::inRange(0, 101) / 100.0;
}

Pool any_pool(double least_memory = 0.0) {
  Pool pool;
  pool.weight_use =
      *rc::gen::element(WeightUse::share, WeightUse::correction, WeightUse::hash_slots);
  pool.arrivals = *rc::gen::inRange(0, 1000);
  pool.members.resize(*rc::gen::inRange<std::size_t>(1, 8));
  for (auto& member : pool.members) {
    member.current = *rc::gen::inRange(1U, 100U);
    member.active = *rc::gen::inRange(0, 2000);
    if (*rc::gen::inRange(0, 6) != 0)
      member.measures = Measures{fraction(), std::max(least_memory, fraction())};
  }
  return pool;
}

Numbers any_numbers(std::size_t count) {
  Numbers numbers(count);
  for (auto& number : numbers)
    number = 1 + *rc::gen::inRange(0, 10000) / 10.0;
  return numbers;
}

TEST_CASE("relief: targets stay finite and above 0 whatever comes in") {
  using limits = std::numeric_limits<double>;
  auto const wild = [] {
    return *rc::gen::element(0.0, -1.0, 0.5, 1e300, limits::denorm_min(), limits::infinity(),
                             -limits::infinity(), limits::quiet_NaN());
  };
  CHECK(rc::check([wild] {
    auto pool = any_pool();
    pool.arrivals = wild();
    for (auto& member : pool.members) {
      member.current = *rc::gen::arbitrary<std::uint32_t>();
      member.active = wild();
      if (member.measures) member.measures = Measures{wild(), wild()};
    }
    lvs::loadcalc::ReliefParameters parameters;
    parameters.backlog_floor = *rc::gen::element(0.0, 0.05, 1.0);
    auto targets = targets_of(any_numbers(pool.members.size()));
    auto const sort = *rc::gen::element(TargetSort::ratios, TargetSort::weights);
    relieve(pool, any_numbers(pool.members.size()), parameters, sort, targets);
    for (auto const& target : targets) {
      RC_ASSERT(std::isfinite(target.weight));
      RC_ASSERT(target.weight > 0.0);
    }
  }));
}

TEST_CASE("relief: the sum of ratios stays, literal weights never rise, held ones never move") {
  CHECK(rc::check([] {
    auto const pool = any_pool();
    auto const wanted = any_numbers(pool.members.size());
    auto const capacities = any_numbers(pool.members.size());
    auto const ratios = relieved(pool, capacities, wanted);
    RC_ASSERT(sum_of(ratios) == Approx(sum_of(targets_of(wanted))).epsilon(1e-6));
    auto const literal = relieved(pool, capacities, wanted, TargetSort::weights);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      RC_ASSERT(literal[i].weight <= wanted[i] * (1 + 1e-9));
      if (pool.members[i].measures) continue;
      RC_ASSERT(ratios[i].weight == wanted[i]);
      RC_ASSERT(literal[i].weight == wanted[i]);
    }
  }));
}

TEST_CASE("relief: the order of the members changes nothing") {
  CHECK(rc::check([] {
    auto pool = any_pool();
    auto wanted = any_numbers(pool.members.size());
    auto capacities = any_numbers(pool.members.size());
    auto const expected = relieved(pool, capacities, wanted);
    std::ranges::reverse(pool.members);
    std::ranges::reverse(wanted);
    std::ranges::reverse(capacities);
    auto const turned = relieved(pool, capacities, wanted);
    for (std::size_t i = 0; i < turned.size(); ++i) {
      auto const& other = expected[turned.size() - 1 - i];
      RC_ASSERT(turned[i].weight == Approx(other.weight).epsilon(1e-6));
      RC_ASSERT(turned[i].note == other.note);
    }
  }));
}

TEST_CASE("relief: without backlog, with memory, and with room for all nothing changes") {
  CHECK(rc::check([] {
    auto pool = any_pool(0.05);
    for (auto& member : pool.members)
      member.active = 0;
    auto const wanted = any_numbers(pool.members.size());
    Numbers const roomy(wanted.size(), pool.arrivals + 1);
    auto const targets = relieved(pool, roomy, wanted);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      RC_ASSERT(targets[i].weight == wanted[i]);
  }));
}

}  // namespace
