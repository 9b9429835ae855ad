#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "loadcalc/capacity.hpp"
#include "loadcalc/ratio_exponent.hpp"
#include "support/catch.hpp"
#include "unit/loadcalc/pools.hpp"

namespace {

using lvs::loadcalc::capacity_targets;
using lvs::loadcalc::CapacityParameters;
using lvs::loadcalc::composite_load;
using lvs::loadcalc::Measures;
using lvs::loadcalc::Member;
using lvs::loadcalc::Pool;
using lvs::loadcalc::ServerModel;
using lvs::loadcalc::Target;
using lvs::loadcalc::WeightUse;
using lvs::loadcalc::testing::pool_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A server that was seen at `cpu` for a minute and finished `speed` per unit of load.
Member seen(double speed, double cpu, std::uint32_t base = 100, double memory = 0.5) {
  ServerModel model;
  model.load = 30 * cpu;
  model.work = speed * 100 * model.load;
  model.composite = composite_load({cpu, memory}, {});
  model.samples = 30;
  model.latest = {cpu, memory};
  model.previous = {cpu, memory};
  return {base, base, Measures{cpu, memory}, model};
}

double sum_of(const std::vector<Target>& targets) {
  return std::accumulate(targets.begin(), targets.end(), 0.0,
                         [](double sum, const Target& target) { return sum + target.weight; });
}

double share(const std::vector<Target>& targets, std::size_t index) {
  return targets[index].weight / sum_of(targets);
}

TEST_CASE("capacity: an empty pool has no targets") {
  CHECK(capacity_targets({}, {}).empty());
}

TEST_CASE("capacity: while nothing was learned the targets are the bases") {
  auto pool = pool_of({seen(1, 0, 10), seen(1, 0, 20), seen(1, 0, 50)});
  for (auto& member : pool.members) {
    member.model = {};
    member.current = 30;
  }
  pool.members[0].measures = Measures{0.02, 0.9};
  auto const targets = capacity_targets(pool, {});
  CHECK(share(targets, 0) == Approx(10 / 80.0));
  CHECK(share(targets, 1) == Approx(20 / 80.0));
  CHECK(sum_of(targets) == Approx(90.0));
  CHECK(targets[0].note == "nothing learned: base");
}

TEST_CASE("capacity: below the least completions of the pool nothing was learned") {
  auto pool = pool_of({seen(1, 0.5), seen(4, 0.5)});
  pool.members[0].model.work = 4;
  pool.members[1].model.work = 15;
  CHECK(share(capacity_targets(pool, {}), 0) == Approx(0.5));
  pool.members[1].model.work = 16;
  CHECK(share(capacity_targets(pool, {}), 0) < 0.45);
}

TEST_CASE("capacity: learned shares come near the speeds") {
  auto const targets = capacity_targets(pool_of({seen(1, 0.7), seen(2, 0.7), seen(4, 0.7)}), {});
  CHECK(share(targets, 0) == Approx(1 / 7.0).epsilon(0.05));
  CHECK(share(targets, 1) == Approx(2 / 7.0).epsilon(0.05));
  CHECK(share(targets, 2) == Approx(4 / 7.0).epsilon(0.05));
  CHECK(targets[2].capacity == Approx(400).epsilon(0.05));
}

TEST_CASE("capacity: the base speaks for a member that was never seen") {
  auto pool = pool_of({seen(1, 0.7, 10), seen(2, 0.7, 20), seen(4, 0.7, 40)});
  pool.members[0].model = {};
  auto const targets = capacity_targets(pool, {});
  CHECK(targets[0].capacity == Approx(100).epsilon(0.01));
  CHECK(targets[0].note == "prior only");
}

TEST_CASE("capacity: more to spare raises the target within bounds") {
  auto const targets =
      capacity_targets(pool_of({seen(1, 0.9, 100, 0.1), seen(1, 0.5), seen(1, 0.1, 100, 0.9)}), {});
  CHECK(targets[0].weight < targets[1].weight);
  CHECK(targets[1].weight < targets[2].weight);
  for (auto const& target : targets) {
    CHECK(target.correction >= 0.5);
    CHECK(target.correction <= 1.5);
  }
}

TEST_CASE("capacity: a scheduler that sees the queues starts with a part of the ratio") {
  std::vector<Member> const members{seen(1, 0.5), seen(4, 0.5)};
  auto const ratio = [&](WeightUse use, const char* scheduler) {
    auto pool = pool_of(members, use);
    pool.scheduler = scheduler;
    auto const targets = capacity_targets(pool, {});
    return targets[1].weight / targets[0].weight;
  };
  auto const whole = ratio(WeightUse::share, "wrr");
  CHECK(whole == Approx(4.0).epsilon(0.1));
  CHECK(ratio(WeightUse::hash_slots, "mh") == Approx(whole));
  CHECK(ratio(WeightUse::correction, "wlc") == Approx(whole));
  CHECK(ratio(WeightUse::correction, "") == Approx(whole));
  CHECK(ratio(WeightUse::correction, "sed") == Approx(std::pow(whole, 0.2)));
  CHECK(ratio(WeightUse::correction, "nq") == Approx(std::pow(whole, 0.2)));
}

TEST_CASE("capacity: shrinking is towards the bases and not towards equal weights") {
  auto const targets =
      capacity_targets(pool_of({seen(1, 0.5, 10), seen(4, 0.5, 40)}, WeightUse::correction), {});
  CHECK(targets[1].weight / targets[0].weight == Approx(4.0).epsilon(0.01));
}

TEST_CASE("capacity: a server that completes connections at no load is not believed") {
  auto const [advantage, believed] =
      GENERATE(Catch::Generators::table<double, bool>({{12.0, true}, {40.0, false}}));
  auto targets = capacity_targets(
      pool_of({seen(1, 0.6), seen(1.1, 0.6), seen(0.9, 0.5), seen(advantage, 0.4)}), {});
  CHECK((share(targets, 3) > 0.6) == believed);
  if (believed) return;
  CHECK(share(targets, 3) == Approx(0.25).margin(0.05));
  CHECK(targets[3].note.find("not believed") != std::string::npos);
}

TEST_CASE("capacity: a member without measures keeps its current share") {
  auto pool = pool_of({seen(1, 0.5), seen(4, 0.5), seen(2, 0.5)});
  pool.members[2].measures.reset();
  pool.members[2].current = 40;
  auto const targets = capacity_targets(pool, {});
  CHECK(targets[2].weight == 40.0);
  CHECK(sum_of(targets) == Approx(240.0));
  CHECK(targets[1].weight > targets[0].weight);
}

TEST_CASE("capacity: where nobody has measures every weight stays") {
  auto pool = pool_of({seen(1, 0.5), seen(4, 0.5)});
  for (auto& member : pool.members)
    member.measures.reset();
  pool.members[1].current = 7;
  auto const targets = capacity_targets(pool, {});
  CHECK(targets[0].weight == 100.0);
  CHECK(targets[1].weight == 7.0);
}

TEST_CASE("capacity: what the evidence cannot tell from the current weights stays") {
  auto pool = pool_of({seen(1, 0.5), seen(1.4, 0.5)});
  pool.members[1].current = 100;
  CHECK(capacity_targets(pool, {})[1].weight > 102.0);  // 1500 completions tell 40 %
  for (auto& member : pool.members) {
    member.model.work /= 30;
    member.model.load /= 30;
  }
  CHECK(capacity_targets(pool, {})[1].weight == 100.0);  // 50 do not
}

/// Any double at all, among them what a broken state file may hold.
rc::Gen<double> odd_number() {
  return rc::gen::oneOf(rc::gen::arbitrary<double>(),
                        rc::gen::element(0.0, -1.0, 0.5, 1.0, 1e300, kNan, kInfinity, -kInfinity));
}

Member odd_member() {
  Member member;
  member.base = *rc::gen::arbitrary<std::uint32_t>();
  member.current = *rc::gen::arbitrary<std::uint32_t>();
  if (*rc::gen::arbitrary<bool>()) member.measures = Measures{*odd_number(), *odd_number()};
  member.model.work = *odd_number();
  member.model.load = *odd_number();
  member.model.composite = *odd_number();
  member.model.samples = *rc::gen::inRange<std::uint32_t>(0, 3);
  member.model.previous = {*odd_number(), *odd_number()};
  return member;
}

TEST_CASE("exponent: idle strong servers raise it and overrun ones lower it") {
  struct Case {
    double weak_cpu, strong_cpu, before, after;
  };
  auto const given = GENERATE(values<Case>({{0.9, 0.3, 0.2, 0.3},      // far too little
                                            {0.6, 0.7, 0.2, 0.2},      // in the band
                                            {0.05, 0.9, 1.0, 0.9},     // leans too far
                                            {0.9, 0.3, 0.95, 1.0},     // never above 1
                                            {0.05, 0.9, 0.2, 0.2}}));  // nor below its least
  auto pool = pool_of({seen(1, given.weak_cpu), seen(4, given.strong_cpu)}, WeightUse::correction);
  pool.scheduler = "sed";
  pool.ratio_exponent = given.before;
  CHECK(learned_exponent(pool, {}) == Approx(given.after));
}

TEST_CASE("exponent: bases that are right tell nothing and wrr needs none") {
  auto pool = pool_of({seen(1, 0.9, 10), seen(4, 0.3, 40)}, WeightUse::correction);
  pool.scheduler = "sed";
  CHECK(learned_exponent(pool, {}) == Approx(0.2));
  CHECK(learned_exponent(pool_of({seen(1, 0.9), seen(4, 0.3)}), {}) == 1.0);
}

TEST_CASE("capacity: targets are finite and above 0 for any input") {
  REQUIRE(rc::check([] {
    Pool pool;
    pool.weight_use = *rc::gen::element(WeightUse::share, WeightUse::correction);
    auto const members = *rc::gen::inRange<std::size_t>(1, 6);
    for (std::size_t i = 0; i < members; ++i)
      pool.members.push_back(odd_member());
    CapacityParameters parameters;
    parameters.prior = *odd_number();
    parameters.gamma_share = *odd_number();
    parameters.ratio_exponent_wlc = *odd_number();
    parameters.correction_min = *odd_number();
    parameters.correction_max = *odd_number();
    for (auto const& target : capacity_targets(pool, parameters)) {
      RC_ASSERT(std::isfinite(target.weight));
      RC_ASSERT(target.weight > 0.0);
      RC_ASSERT(std::isfinite(target.capacity));
      RC_ASSERT(std::isfinite(target.correction));
      RC_ASSERT(std::isfinite(target.composite));
    }
  }));
}

Member any_member() {
  auto const fraction = [] { return *rc::gen::inRange(0, 101) / 100.0; };
  auto member = seen(*rc::gen::inRange(1, 9), fraction(), *rc::gen::inRange(1U, 101U), fraction());
  member.current = *rc::gen::inRange(1U, 101U);
  member.model.previous = {fraction(), 0.5};
  if (*rc::gen::inRange(0, 8) == 0) member.measures.reset();
  return member;
}

std::vector<Member> any_members() {
  std::vector<Member> members(*rc::gen::inRange<std::size_t>(1, 8));
  for (auto& member : members)
    member = any_member();
  return members;
}

TEST_CASE("capacity: the result does not depend on the order") {
  REQUIRE(rc::check([] {
    auto const members = any_members();
    std::vector<Member> const reversed(members.rbegin(), members.rend());
    auto const targets = capacity_targets(pool_of(members), {});
    auto const others = capacity_targets(pool_of(reversed), {});
    for (std::size_t i = 0; i < targets.size(); ++i) {
      auto const& other = others[targets.size() - 1 - i];
      RC_ASSERT(std::abs(targets[i].weight - other.weight) <= 1e-9 * targets[i].weight);
    }
  }));
}

TEST_CASE("capacity: equal members get equal targets") {
  REQUIRE(rc::check([] {
    auto members = any_members();
    members.push_back(members.front());
    auto const targets = capacity_targets(pool_of(members), {});
    RC_ASSERT(targets.front().weight == targets.back().weight);
  }));
}

TEST_CASE("capacity: the sum of the weights stays") {
  REQUIRE(rc::check([] {
    auto const members = any_members();
    double sum = 0;
    for (auto const& member : members)
      sum += member.current;
    auto const targets = capacity_targets(pool_of(members), {});
    RC_ASSERT(std::abs(sum_of(targets) - sum) <= 1e-9 * sum);
  }));
}

TEST_CASE("capacity: less to spare never means more weight") {
  REQUIRE(rc::check([] {
    auto members = any_members();
    auto& chosen = members.front();
    if (!chosen.measures) chosen.measures = Measures{0.5, 0.5};
    chosen.model.samples = 0;  // F is this cycle's
    auto const before = capacity_targets(pool_of(members), {})[0].weight;
    auto const less = *rc::gen::inRange(0, 101) / 100.0;
    if (*rc::gen::arbitrary<bool>()) {
      chosen.measures->cpu_occupancy = std::min(1.0, chosen.measures->cpu_occupancy + less);
    } else {
      chosen.measures->free_memory_rate = std::max(0.0, chosen.measures->free_memory_rate - less);
    }
    auto const after = capacity_targets(pool_of(members), {})[0].weight;
    RC_ASSERT(after <= before * (1 + 1e-9));
  }));
}

}  // namespace
