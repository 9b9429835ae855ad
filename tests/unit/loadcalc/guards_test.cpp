#include "loadcalc/guards.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace lvs::loadcalc;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Member member(std::uint32_t current, double cpu, double memory = 0.5) {
  Member made;
  made.base = 10;
  made.current = current;
  made.measures = Measures{cpu, memory};
  return made;
}

std::vector<Target> targets_of(const std::vector<double>& weights) {
  std::vector<Target> targets(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    targets[i].weight = weights[i];
  return targets;
}

double sum(const std::vector<Target>& targets) {
  return std::accumulate(targets.begin(), targets.end(), 0.0,
                         [](double total, const Target& target) { return total + target.weight; });
}

}  // namespace

TEST_CASE("guards: without a saturated member no target moves") {
  Pool pool;
  pool.members = {member(10, 0.97), member(10, 0.2)};
  auto targets = targets_of({12, 8});
  cut_saturated(pool, {}, targets);
  CHECK(targets[0].weight == 12);
  CHECK(targets[1].weight == 8);
  CHECK_FALSE(targets[0].saturated);
}

TEST_CASE("guards: a saturated member is cut to half and the others take it") {
  Pool pool;
  pool.members = {member(10, 1.0), member(10, 0.2), member(10, 0.2)};
  auto targets = targets_of({10, 10, 10});
  cut_saturated(pool, {}, targets);
  CHECK(targets[0].weight == Approx(5));
  CHECK(targets[1].weight == Approx(12.5));
  CHECK(targets[2].weight == Approx(12.5));
  CHECK(targets[0].saturated);
  CHECK(targets[0].note == "saturated: cut");
}

TEST_CASE("guards: memory under its reserve saturates as well") {
  Pool pool;
  pool.members = {member(10, 0.1, 0.04), member(10, 0.1, 0.9)};
  auto targets = targets_of({10, 10});
  cut_saturated(pool, {}, targets);
  CHECK(targets[0].weight == Approx(5));
  CHECK(targets[1].weight == Approx(15));
}

TEST_CASE("guards: a cut goes only as deep as the others have room") {
  Pool pool;
  // At 0.9 of their CPU the others can take nothing, at 0.8 an eighth of their weight more.
  pool.members = {member(10, 1.0), member(16, 0.8)};
  auto targets = targets_of({10, 16});
  cut_saturated(pool, {}, targets);
  CHECK(targets[0].weight == Approx(8));
  CHECK(targets[1].weight == Approx(18));
}

TEST_CASE("guards: when all are saturated the current weights stay") {
  Pool pool;
  pool.members = {member(10, 1.0), member(30, 1.0)};
  auto targets = targets_of({20, 20});
  cut_saturated(pool, {}, targets);
  CHECK(targets[0].weight == 10);
  CHECK(targets[1].weight == 30);
  CHECK(targets[1].note == "all saturated: held");
}

TEST_CASE("guards: one busy reading among idle ones is no saturation") {
  Pool pool;
  pool.members = {member(10, 1.0), member(10, 0.2)};
  pool.members[0].model.samples = 5;
  pool.members[0].model.previous = {0.6, 0.5};
  auto targets = targets_of({10, 10});
  cut_saturated(pool, {}, targets);
  CHECK(targets[0].weight == 10);
  CHECK(targets[0].saturated);
}

TEST_CASE("guards: members without measures neither lose nor gain") {
  Pool pool;
  pool.members = {member(10, 1.0), member(10, 0.2), member(10, 0.2)};
  pool.members[2].measures.reset();
  auto targets = targets_of({10, 10, 10});
  cut_saturated(pool, {}, targets);
  CHECK(targets[2].weight == 10);
  CHECK(sum(targets) == Approx(30));
}

TEST_CASE("guards: the slow start grows linearly to the whole target") {
  struct Case {
    double age_s, slow_start_s, share;
  };
  auto const given = GENERATE(values<Case>({{0, 10, 0.2},
                                            {5, 10, 0.6},
                                            {10, 10, 1},
                                            {100, 10, 1},
                                            {0, 0, 1},
                                            {-5, 10, 0.2},
                                            {not_a_number, 10, 1}}));
  CHECK(slow_start_share(given.age_s, given.slow_start_s) == Approx(given.share));
}

TEST_CASE("guards: a step is at most the cap up or down") {
  struct Case {
    double current, target, cap, step;
  };
  auto const given = GENERATE(values<Case>({{10, 100, 4, 40},
                                            {10, 1, 4, 2.5},
                                            {10, 20, 4, 20},
                                            {10, 100, 0, 100},
                                            {10, 100, not_a_number, 100}}));
  CHECK(capped_step(given.current, given.target, given.cap) == Approx(given.step));
}

TEST_CASE("guards: a pool is idle by the mean of those that were read") {
  Pool pool;
  CHECK_FALSE(is_idle(pool, 0.05));
  pool.members = {member(10, 0.01), member(10, 0.05)};
  CHECK(is_idle(pool, 0.05));
  CHECK_FALSE(is_idle(pool, 0.03));
  pool.members[1].measures.reset();
  CHECK(is_idle(pool, 0.03));
}
