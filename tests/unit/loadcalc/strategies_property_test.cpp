// What holds for every strategy and every pool, however broken its numbers are.

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "loadcalc/capacity.hpp"
#include "loadcalc/feedback.hpp"
#include "loadcalc/headroom.hpp"
#include "loadcalc/linear.hpp"
#include "loadcalc/response.hpp"
#include "support/catch.hpp"

namespace {

using lvs::loadcalc::Measures;
using lvs::loadcalc::Member;
using lvs::loadcalc::Pool;
using lvs::loadcalc::Target;
using lvs::loadcalc::WeightUse;
using Function = std::vector<Target> (*)(const Pool&);

struct Named {
  const char* name;
  Function targets;
};

const std::vector<Named> strategies{
    {"capacity", [](const Pool& pool) { return lvs::loadcalc::capacity_targets(pool, {}); }},
    {"headroom", [](const Pool& pool) { return lvs::loadcalc::headroom_targets(pool, {}); }},
    {"feedback", [](const Pool& pool) { return lvs::loadcalc::feedback_targets(pool, {}); }},
    {"response", [](const Pool& pool) { return lvs::loadcalc::response_targets(pool, {}); }},
    {"linear", [](const Pool& pool) { return lvs::loadcalc::linear_targets(pool, {}); }},
};

double fraction() {
  return *rc::gen::inRange(0, 101) / 100.0;
}

std::optional<double> perhaps(double value) {
  return *rc::gen::inRange(0, 3) == 0 ? std::nullopt : std::optional(value);
}

/// Numbers as broken readings and state files have them.
double wild() {
  using limits = std::numeric_limits<double>;
  return *rc::gen::element(0.0, -0.0, -1.0, 0.5, 1.0, 1e300, -1e300, limits::denorm_min(),
                           limits::infinity(), -limits::infinity(), limits::quiet_NaN());
}

Member sound_member() {
  Member member;
  member.base = *rc::gen::inRange(1U, 60U);
  member.current = *rc::gen::inRange(1U, 100U);
  if (*rc::gen::inRange(0, 5) != 0) member.measures = Measures{fraction(), fraction()};
  member.further.network_utilisation = perhaps(fraction());
  member.further.disk_utilisation = perhaps(fraction());
  member.further.processes = perhaps(*rc::gen::inRange(1, 500));
  member.further.load_per_cpu = perhaps(fraction() * 3);
  member.further.response_s = perhaps(fraction());
  member.input = fraction() * 3;
  member.model.work = fraction() * 1000;
  member.model.load = fraction() * 50;
  member.standing = perhaps(1.0 + fraction() * 100);
  return member;
}

Member wild_member() {
  auto member = sound_member();
  member.base = *rc::gen::element(0U, 1U, 65535U, std::numeric_limits<std::uint32_t>::max());
  member.current = *rc::gen::element(0U, 1U, 65535U, std::numeric_limits<std::uint32_t>::max());
  if (member.measures) member.measures = Measures{wild(), wild()};
  member.further = {perhaps(wild()), perhaps(wild()), perhaps(wild()), perhaps(wild()), {}, {}, {},
                    perhaps(wild())};
  member.input = wild();
  member.model.work = wild();
  member.model.load = wild();
  member.standing = perhaps(wild());
  return member;
}

Pool pool_of(Member (*member)()) {
  Pool pool;
  pool.weight_use =
      *rc::gen::element(WeightUse::share, WeightUse::correction, WeightUse::hash_slots);
  auto const count = *rc::gen::inRange(1, 7);
  for (int i = 0; i < count; ++i)
    pool.members.push_back(member());
  return pool;
}

TEST_CASE("strategies: every target is finite and above 0 whatever comes in") {
  for (auto const& strategy : strategies) {
    INFO(strategy.name);
    CHECK(rc::check([&strategy] {
      auto const pool = pool_of(wild_member);
      auto const targets = strategy.targets(pool);
      RC_ASSERT(targets.size() == pool.members.size());
      for (auto const& target : targets) {
        RC_ASSERT(std::isfinite(target.weight));
        RC_ASSERT(target.weight > 0.0);
        RC_ASSERT(std::isfinite(target.score.value_or(0.0)));
      }
    }));
  }
}

TEST_CASE("strategies: the order of the members changes nothing") {
  for (auto const& strategy : strategies) {
    INFO(strategy.name);
    CHECK(rc::check([&strategy] {
      auto const pool = pool_of(sound_member);
      auto turned = pool;
      // Not std::ranges::rotate: clang 14 does not take that of libstdc++ 12.
      std::rotate(turned.members.begin(),
                  turned.members.begin() + static_cast<std::ptrdiff_t>(pool.members.size() / 2),
                  turned.members.end());
      auto expected = strategy.targets(pool);
      std::rotate(expected.begin(),
                  expected.begin() + static_cast<std::ptrdiff_t>(expected.size() / 2),
                  expected.end());
      auto const targets = strategy.targets(turned);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        RC_ASSERT(targets[i].weight == Approx(expected[i].weight).epsilon(1e-9));
        RC_ASSERT(targets[i].note == expected[i].note);
      }
    }));
  }
}

TEST_CASE("strategies: a member without measures keeps its weight") {
  for (auto const& strategy : strategies) {
    INFO(strategy.name);
    CHECK(rc::check([&strategy] {
      auto const pool = pool_of(sound_member);
      auto const targets = strategy.targets(pool);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (pool.members[i].measures) continue;
        RC_ASSERT(targets[i].weight == static_cast<double>(pool.members[i].current));
        RC_ASSERT(!targets[i].score);
      }
    }));
  }
}

TEST_CASE("strategies: beside a held member the others keep what they have together") {
  for (auto const& strategy : strategies) {
    if (std::string(strategy.name) == "headroom") continue;  // its targets are weights
    INFO(strategy.name);
    CHECK(rc::check([&strategy] {
      auto pool = pool_of(sound_member);
      pool.members.front().measures.reset();
      auto const targets = strategy.targets(pool);
      double there = 0;
      double wanted = 0;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        there += pool.members[i].current;
        wanted += targets[i].weight;
      }
      RC_ASSERT(wanted == Approx(there).epsilon(1e-6));
    }));
  }
}

TEST_CASE("strategies: an empty pool has no targets") {
  for (auto const& strategy : strategies)
    CHECK(strategy.targets({}).empty());
}

}  // namespace
