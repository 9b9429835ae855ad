#include "loadcalc/guards.hpp"

#include <limits>

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

}  // namespace

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

TEST_CASE("guards: a step up is at most the cap and a step down is free") {
  struct Case {
    double current, target, cap, step;
  };
  auto const given = GENERATE(values<Case>({{10, 100, 4, 40},
                                            {10, 1, 4, 1},
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
