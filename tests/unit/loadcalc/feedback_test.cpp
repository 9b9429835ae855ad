#include "loadcalc/feedback.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "unit/loadcalc/pools.hpp"

namespace {

using lvs::loadcalc::feedback_signal;
using lvs::loadcalc::feedback_targets;
using lvs::loadcalc::FeedbackParameters;
using lvs::loadcalc::Measures;
using lvs::loadcalc::Member;
using lvs::loadcalc::Pool;
using lvs::loadcalc::PoolSignal;
using lvs::loadcalc::testing::pool_of;

/// Every term is 1: C, memory and disk at their right value, everything else at the mean.
Member just_right() {
  Member member;
  member.base = member.current = 10;
  member.standing = 20;
  member.measures = Measures{0.7, 0.3};
  member.further.disk_utilisation = 0.7;
  member.further.processes = 100;
  member.further.response_s = 0.02;
  return member;
}

TEST_CASE("feedback: AGG is 1 where everything is just right") {
  auto const targets = feedback_targets(pool_of({just_right(), just_right()}), {});
  for (auto const& target : targets) {
    REQUIRE(target.score.has_value());
    CHECK(*target.score == Approx(1.0));
    CHECK(target.terms.size() == 6);
  }
}

TEST_CASE("feedback: each coefficient belongs to its term") {
  struct Case {
    const char* term;
    void (*raise)(Member&);
    double by;
  };
  // Two members: what is relative to the mean is raised from 1 to 2 x 3 / (1 + 3) = 1.5.
  const std::vector<Case> cases{
      {"INPUT", [](Member& member) { member.input = 3; }, 0.1 * 2},
      {"CPU", [](Member& member) { member.measures->cpu_occupancy = 0.35; }, 0.3 * -0.5},
      {"MEM", [](Member& member) { member.measures->free_memory_rate = 0.65; }, 0.1 * -0.5},
      {"DISK", [](Member& member) { member.further.disk_utilisation = 0; }, 0.1 * -1},
      {"PROC", [](Member& member) { member.further.processes = 300; }, 0.1 * 0.5},
      {"RESPONSE", [](Member& member) { member.further.response_s = 0.06; }, 0.3 * 0.5},
  };
  for (auto const& one : cases) {
    INFO(one.term);
    auto pool = pool_of({just_right(), just_right()});
    one.raise(pool.members[0]);
    CHECK(feedback_targets(pool, {})[0].score.value() == Approx(1 + one.by));
  }
}

TEST_CASE("feedback: a term that is unknown is neither idle nor overloaded") {
  auto pool = pool_of({just_right(), just_right()});
  pool.members[0].further = {};
  auto const targets = feedback_targets(pool, {});
  CHECK(targets[0].score.value() == Approx(1.0));
  CHECK(targets[0].terms.size() == 3);
  double sum = 0;
  for (auto const& term : targets[0].terms)
    sum += term.coefficient;
  CHECK(sum == Approx(1.0));
}

TEST_CASE("feedback: the step is A times the cube root of the distance to the set-point") {
  auto pool = pool_of({just_right(), just_right()});
  pool.members[0].measures->cpu_occupancy = 0;
  auto const aggregate = 0.7;
  CHECK(feedback_targets(pool, {})[0].weight == Approx(20 + 5 * std::cbrt(0.95 - aggregate)));
  FeedbackParameters parameters;
  parameters.step = 2;
  parameters.set_point = 0.5;
  CHECK(feedback_targets(pool, parameters)[0].weight ==
        Approx(20 + 2 * std::cbrt(0.5 - aggregate)));
}

TEST_CASE("feedback: no step inside the dead band") {
  auto pool = pool_of({just_right(), just_right()});
  FeedbackParameters parameters;
  parameters.dead_band = 0.051;
  CHECK(feedback_targets(pool, parameters)[0].weight == 20);
  parameters.dead_band = 0.049;
  CHECK(feedback_targets(pool, parameters)[0].weight < 20);
}

TEST_CASE("feedback: W stays between the base and SCALE times the base") {
  auto pool = pool_of({just_right(), just_right()});
  pool.members[0].standing = 99;
  pool.members[0].measures = Measures{0, 1};
  pool.members[1].standing = 11;
  pool.members[1].measures = Measures{0.97, 0.1};
  pool.members[1].input = 5;
  auto const targets = feedback_targets(pool, {});
  CHECK(targets[0].weight == 100);
  CHECK(targets[1].weight == 10);
}

TEST_CASE("feedback: where nothing is remembered the kernel's ratios are the start") {
  auto pool = pool_of({just_right(), just_right()});
  FeedbackParameters parameters;
  parameters.step = 0;
  for (auto& member : pool.members) {
    member.standing.reset();
    member.base = 30;
  }
  pool.members[0].current = 2;
  pool.members[1].current = 5;
  auto const targets = feedback_targets(pool, parameters);
  CHECK(targets[0].weight == Approx(30));
  CHECK(targets[1].weight == Approx(75));
}

TEST_CASE("feedback: a newcomer takes its place on the scale of the others") {
  auto pool = pool_of({just_right(), just_right(), just_right()});
  FeedbackParameters parameters;
  parameters.step = 0;
  pool.members[0].standing = 30;
  pool.members[0].current = 6;
  pool.members[1].standing = 20;
  pool.members[1].current = 4;
  pool.members[2].standing.reset();
  pool.members[2].current = 3;
  CHECK(feedback_targets(pool, parameters)[2].weight == Approx(15));
}

TEST_CASE("feedback: the whole pool is overloaded or idle by its AGG") {
  FeedbackParameters const parameters;
  auto pool = pool_of({just_right(), just_right()});
  auto signal = [&] { return feedback_signal(feedback_targets(pool, parameters), parameters); };
  CHECK(signal() == PoolSignal::overloaded);  // 1 is above 0.95
  pool.members[0].measures->cpu_occupancy = 0.3;
  CHECK(signal() == PoolSignal::none);
  for (auto& member : pool.members) {
    member.measures = Measures{0.05, 0.9};
    member.further.disk_utilisation = 0;
  }
  CHECK(signal() == PoolSignal::idle);
  pool.members[0].measures.reset();
  CHECK(signal() == PoolSignal::idle);
  pool.members[1].measures.reset();
  CHECK(signal() == PoolSignal::none);
}

TEST_CASE("feedback: a coefficient that is no number counts as its default") {
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  FeedbackParameters parameters;
  parameters.step = parameters.scale = parameters.set_point = parameters.dead_band = nan;
  parameters.cpu_right = parameters.memory_right = parameters.disk_right = nan;
  auto pool = pool_of({just_right(), just_right()});
  pool.members[0].measures->cpu_occupancy = 0;
  CHECK(feedback_targets(pool, parameters)[0].weight ==
        Approx(feedback_targets(pool, {})[0].weight));
}

}  // namespace
