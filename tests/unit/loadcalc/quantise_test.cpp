#include "loadcalc/quantise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <rapidcheck.h>

#include "loadcalc/small_integers.hpp"
#include "support/catch.hpp"

namespace {

using lvs::loadcalc::base_at_scale;
using lvs::loadcalc::Boundary;
using lvs::loadcalc::largest_share_error;
using lvs::loadcalc::quantised;
using lvs::loadcalc::rounded;
using lvs::loadcalc::small_integers;
using lvs::loadcalc::WeightRange;
using lvs::loadcalc::WeightUse;

using Weights = std::vector<std::uint32_t>;
using Targets = std::vector<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Weights shares(const Targets& targets, const Weights& current, const Weights& bases,
               const WeightRange& range = {}) {
  return quantised(targets, current, bases, WeightUse::share, range, {});
}

TEST_CASE("small integers: the first vector within five percent") {
  auto const [targets, expected] = GENERATE(table<Targets, Weights>({
      {{7}, {1}},
      {{3, 3, 3}, {1, 1, 1}},
      {{100, 50, 25}, {4, 2, 1}},
      {{67, 34, 17}, {4, 2, 1}},
      {{33, 79, 165}, {2, 5, 10}},
      {{2, 3}, {2, 3}},
      {{1, 12}, {1, 12}},
  }));
  CAPTURE(targets);
  CHECK(small_integers(targets, 100) == expected);
}

TEST_CASE("small integers: the limit holds for a pool that is wider") {
  CHECK(small_integers(Targets{1, 1000}, 100)[0] == 1);
  CHECK(small_integers(Targets{1, 1000}, 1) == Weights{1, 1});
  CHECK(small_integers(Targets{}, 100).empty());
}

TEST_CASE("quantised: targets that are no numbers count as very small or change nothing") {
  CHECK(shares({kNan, kInfinity}, {10, 20}, {10, 10}) == Weights{10, 20});
  CHECK(shares({0, -1}, {10, 20}, {10, 10}) == Weights{10, 20});
  CHECK(shares({kNan, 1, 1}, {10, 10, 10}, {10, 10, 10}, {1, 100})[0] == 1);
  CHECK(shares({}, {}, {}).empty());
}

TEST_CASE("quantised: a range that makes no sense is put right") {
  CHECK(shares({1, 4}, {10, 10}, {10, 10}, {0, 0}) == Weights{1, 1});
  CHECK(shares({1, 4}, {10, 10}, {10, 10}, {50, 20}) == Weights{50, 50});
}

TEST_CASE("quantised: weights of 0 are read as 1") {
  CHECK(shares({1, 1}, {0, 0}, {0, 0}) == Weights{1, 1});
}

TEST_CASE("quantised: small integers at the scale of the bases") {
  CHECK(shares({2, 5, 8}, {60, 60, 60}, {60, 60, 60}) == Weights{24, 60, 96});
  CHECK(shares({1, 2, 4}, {100, 100, 100}, {100, 100, 100}) == Weights{25, 50, 100});
  CHECK(shares({1, 2, 4}, {10, 10, 10}, {10, 10, 10}) == Weights{5, 10, 20});
}

TEST_CASE("quantised: bases of 1 leave room for steps that exceed the least boundary") {
  CHECK(shares({1, 2, 4}, {1, 1, 1}, {1, 1, 1}) == Weights{3, 6, 12});
}

TEST_CASE("quantised: an unchanged member keeps its very number") {
  // 2:5:8 becomes 2:4:8, whose smallest form is 1:2:4.
  CHECK(shares({2, 4, 8}, {24, 60, 96}, {60, 60, 60}) == Weights{24, 48, 96});
  CHECK(shares({2, 5, 8}, {24, 48, 96}, {60, 60, 60}) == Weights{24, 60, 96});
  CHECK(shares({1, 2, 2}, {40, 40, 40}, {40, 40, 40}) == Weights{20, 40, 40});
}

TEST_CASE("quantised: a factor that left the scale of the bases is not kept") {
  CHECK(shares({1, 2, 4}, {3, 6, 6}, {60, 60, 60}) == Weights{25, 50, 100});
}

TEST_CASE("quantised: the vector is kept while no share is off by more than ten percent") {
  CHECK(shares({1.08, 1, 1}, {100, 100, 100}, {100, 100, 100}) == Weights{100, 100, 100});
  CHECK(shares({24, 66, 96}, {24, 60, 96}, {60, 60, 60}) == Weights{24, 60, 96});
  CHECK(shares({24, 75, 96}, {24, 60, 96}, {60, 60, 60}) != Weights{24, 60, 96});
}

TEST_CASE("quantised: large integers are replaced unless they are the operator's own") {
  CHECK(shares({33.1, 79, 165}, {33, 79, 165}, {90, 90, 90}, {1, 200}) == Weights{30, 75, 150});
  CHECK(shares({33.1, 79, 165}, {33, 79, 165}, {33, 79, 165}, {1, 200}) == Weights{33, 79, 165});
}

TEST_CASE("quantised: no member moves by so little that it would not be written") {
  // 3:9:21 would leave 22 where it is, 2:6:14 and 4:12:28 would leave 3.
  CHECK(shares({1, 3, 7.3}, {3, 9, 22}, {10, 10, 10}) == Weights{5, 15, 35});
  // Up to 2:14:36 the first would stay at 1; what is left is beyond twice the bases' scale.
  CHECK(shares({1, 7, 18}, {1, 53, 72}, {10, 10, 10}) == Weights{3, 21, 54});
  auto const by = [](const Boundary& boundary) {
    return quantised(Targets{1, 2, 4}, Weights{11, 30, 30}, Weights{10, 10, 10}, WeightUse::share,
                     {}, boundary);
  };
  CHECK(by({Boundary::Unit::percent, 5.0}) == Weights{4, 8, 16});
  CHECK(by({Boundary::Unit::percent, 50.0}) == Weights{3, 6, 12});
  // The range holds one multiple only: then the member that is not written is put up with.
  CHECK(shares({1, 2}, {10, 13}, {9, 16}, {9, 18}) == Weights{9, 18});
}

TEST_CASE("quantised: targets in the ratios of the bases give the bases") {
  CHECK(shares({33, 79, 165}, {50, 50, 50}, {33, 79, 165}, {1, 200}) == Weights{33, 79, 165});
  CHECK(quantised(Targets{2, 4}, Weights{50, 50}, Weights{3, 6}, WeightUse::correction, {}, {}) ==
        Weights{3, 6});
  CHECK(shares({33, 79, 165}, {50, 50, 50}, {33, 79, 165}) == Weights{20, 50, 100});
}

TEST_CASE("quantised: a pool wider than twelve to one is clamped at 1 and uses the range") {
  auto const wide = shares({1, 500}, {10, 10}, {10, 10});
  CHECK(wide[0] == 1);
  CHECK(wide[1] >= 95);
  CHECK(wide[1] <= 100);
}

TEST_CASE("quantised: among many unlike members only those that are off move") {
  std::mt19937_64 random{7};
  Targets targets;
  for (int i = 0; i < 40; ++i) {
    targets.push_back(1.0 + 3.0 * static_cast<double>(random() >> 11U) * 0x1.0p-53);
  }
  Weights const bases(40, 100);
  auto const before = shares(targets, bases, bases);
  auto const least = std::min_element(targets.begin(), targets.end()) - targets.begin();
  auto const chosen = static_cast<std::size_t>(least);
  targets[chosen] *= 1.8;
  auto const after = shares(targets, before, bases);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < after.size(); ++i)
    moved += after[i] != before[i] ? 1 : 0;
  CHECK(after[chosen] > before[chosen]);
  CHECK(moved <= 3);
}

TEST_CASE("quantised: corrections keep the mean of the bases and their ratios") {
  auto const use = WeightUse::correction;
  Weights const bases{50, 50};
  CHECK(quantised(Targets{1, 1.5}, bases, bases, use, {}, {}) == Weights{40, 60});
  CHECK(quantised(Targets{1, 1.05}, bases, bases, use, {}, {}) == Weights{50, 50});
  CHECK(quantised(Targets{1, 1.2}, bases, bases, use, {}, {}) == Weights{45, 55});
  // What leaves the range takes the others along.
  Weights const high{100, 100};
  CHECK(quantised(Targets{1, 4}, high, high, use, {}, {}) == Weights{25, 100});
  // With bases of 1 there would be nothing to steer with.
  CHECK(quantised(Targets{3, 5}, Weights{1, 1}, Weights{1, 1}, use, {}, {}) == Weights{12, 20});
}

TEST_CASE("quantised: hash tables get few steps and few slots") {
  auto const use = WeightUse::hash_slots;
  Weights const bases{100, 100};
  CHECK(quantised(Targets{1, 1.15}, bases, bases, use, {}, {}) == bases);
  CHECK(quantised(Targets{1, 2}, bases, bases, use, {}, {}) == Weights{31, 63});
  Targets many;
  for (int i = 0; i < 100; ++i)
    many.push_back(1 + i % 3);
  Weights const hundred(100, 100);
  auto const slots = quantised(many, hundred, hundred, use, {}, {});
  CHECK(std::accumulate(slots.begin(), slots.end(), 0U) <= 256);
  CHECK(slots[2] > slots[0]);
}

TEST_CASE("quantised: schedulers that ignore weights keep them") {
  auto const use = GENERATE(WeightUse::ignored, WeightUse::other);
  CHECK(quantised(Targets{1, 9}, Weights{10, 200}, Weights{10, 10}, use, {}, {}) ==
        Weights{10, 100});
}

TEST_CASE("rounded: the nearest integer and never 0") {
  CHECK(rounded(Targets{0.97, 0.5, 0.4, kNan, -3, kInfinity, 49.5, 1e30}, {}) ==
        Weights{1, 1, 1, 1, 1, 100, 50, 100});
  CHECK(rounded(Targets{1, 500}, {10, 200}) == Weights{10, 200});
}

TEST_CASE("base at scale: a base beside members that left theirs") {
  CHECK(base_at_scale(1, Weights{10, 20}, Weights{1, 1}, {}) == 15);
  CHECK(base_at_scale(60, Weights{24, 96}, Weights{60, 60}, {}) == 60);
  CHECK(base_at_scale(7, Weights{}, Weights{}, {}) == 7);
  CHECK(base_at_scale(0, Weights{}, Weights{}, {}) == 1);
  CHECK(base_at_scale(90, Weights{200}, Weights{100}, {}) == 100);
}

struct AnyPool {
  Targets targets;
  Weights current, bases;
  WeightRange range;
};

AnyPool any_pool() {
  AnyPool pool;
  auto const members = *rc::gen::inRange<std::size_t>(1, 30);
  pool.range.min = *rc::gen::inRange(0U, 20U);
  pool.range.max = *rc::gen::inRange(0U, 300U);
  for (std::size_t i = 0; i < members; ++i) {
    pool.targets.push_back(*rc::gen::inRange(1, 1000) / 10.0);
    pool.current.push_back(*rc::gen::inRange(0U, 200U));
    pool.bases.push_back(*rc::gen::inRange(0U, 200U));
  }
  return pool;
}

WeightUse any_use() {
  return *rc::gen::element(WeightUse::share, WeightUse::correction, WeightUse::hash_slots,
                           WeightUse::ignored, WeightUse::other);
}

TEST_CASE("quantised: every weight is within the range and never 0") {
  REQUIRE(rc::check([] {
    auto pool = any_pool();
    if (*rc::gen::arbitrary<bool>()) pool.targets.front() = *rc::gen::arbitrary<double>();
    auto const weights =
        quantised(pool.targets, pool.current, pool.bases, any_use(), pool.range, {});
    auto const least = std::max(1U, pool.range.min);
    RC_ASSERT(weights.size() == pool.targets.size());
    for (auto const weight : weights) {
      RC_ASSERT(weight >= least);
      RC_ASSERT(weight <= std::max(least, pool.range.max));
    }
  }));
}

TEST_CASE("quantised: asked again it changes nothing") {
  REQUIRE(rc::check([] {
    auto const pool = any_pool();
    auto const use = any_use();
    auto const once = quantised(pool.targets, pool.current, pool.bases, use, pool.range, {});
    Targets const own(once.begin(), once.end());
    if (pool.range.min <= 1) {
      RC_ASSERT(quantised(own, once, pool.bases, use, pool.range, {}) == once);
    }
    RC_ASSERT(quantised(pool.targets, once, pool.bases, use, pool.range, {}) == once);
  }));
}

TEST_CASE("quantised: the result does not depend on the order") {
  REQUIRE(rc::check([] {
    auto pool = any_pool();
    auto const use = any_use();
    auto forth = quantised(pool.targets, pool.current, pool.bases, use, pool.range, {});
    std::reverse(pool.targets.begin(), pool.targets.end());
    std::reverse(pool.current.begin(), pool.current.end());
    std::reverse(pool.bases.begin(), pool.bases.end());
    auto const back = quantised(pool.targets, pool.current, pool.bases, use, pool.range, {});
    std::reverse(forth.begin(), forth.end());
    RC_ASSERT(forth == back);
  }));
}

TEST_CASE("quantised: equal targets get equal weights when they are chosen anew") {
  REQUIRE(rc::check([] {
    auto pool = any_pool();
    pool.targets.push_back(pool.targets.front());
    pool.current.push_back(pool.current.front());
    pool.bases.push_back(pool.bases.front());
    auto const weights =
        quantised(pool.targets, pool.current, pool.bases, any_use(), pool.range, {});
    RC_ASSERT(weights.front() == weights.back());
  }));
}

TEST_CASE("quantised: thousands of members are no trouble") {
  Targets targets;
  for (int i = 0; i < 5000; ++i)
    targets.push_back(1 + i % 97);
  Weights const bases(targets.size(), 50);
  auto const weights = shares(targets, bases, bases);
  CHECK(weights.size() == targets.size());
  CHECK(largest_share_error(weights, targets) < 1.0);
}

}  // namespace
