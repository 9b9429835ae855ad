// The guards that stand behind every strategy.

#include <algorithm>
#include <string>

#include "support/catch.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

constexpr auto vip = "tcp:10.9.9.9:80";

/// Two servers alike under headroom, whose targets are base * F = 10 * 0.78.
Director two(const std::string& scheduler) {
  Director director;
  director.config.defaults.strategy = StrategyKind::headroom;
  director.config.defaults.boundary = {lvs::loadcalc::Boundary::Unit::weight, 1};
  director.config.defaults.min_write_interval = 0s;
  director.table = {service(vip, scheduler, {{"10.0.0.11:80", 100}, {"10.0.0.12:80", 100}})};
  return director;
}

void report_all(Director& director, double first, double second) {
  director.report("10.0.0.11", first, 0.9);
  director.report("10.0.0.12", second, 0.9);
}

}  // namespace

TEST_CASE("guards: who comes back from weight 0 is ramped up over the slow start") {
  auto director = two("wlc");
  director.config.defaults.guards.slow_start_s = 20;
  for (int i = 0; i < 3; ++i) {
    report_all(director, 0.3, 0.3);
    director.cycle();
  }
  auto& back = director.at(vip, "10.0.0.12:80");
  auto const before = back.weight;
  back.weight = 0;
  report_all(director, 0.3, 0.3);
  director.cycle();
  CHECK(back.weight == 0);
  back.weight = before;
  auto lowest = before;
  for (int i = 0; i < 15; ++i) {
    report_all(director, 0.3, 0.3);
    director.cycle();
    lowest = std::min(lowest, director.at(vip, "10.0.0.12:80").weight);
  }
  CHECK(lowest < before / 2);
  CHECK(director.at(vip, "10.0.0.12:80").weight >= before * 7 / 10);  // before * F
}

TEST_CASE("guards: who is there from the start has no slow start") {
  auto director = two("wlc");
  report_all(director, 0.3, 0.3);
  director.cycle();
  CHECK(director.at(vip, "10.0.0.11:80").weight > 60);
}

TEST_CASE("guards: a pool that stays idle goes back to its bases") {
  auto director = two("wlc");
  report_all(director, 0.9, 0.3);
  director.cycle();
  CHECK(director.at(vip, "10.0.0.11:80").weight < 60);
  for (int i = 0; i < 45; ++i) {
    report_all(director, 0.01, 0.01);
    director.cycle();
  }
  CHECK(director.at(vip, "10.0.0.11:80").weight >= 98);  // within the boundary
  CHECK(director.at(vip, "10.0.0.12:80").weight >= 98);  // within the boundary
}

TEST_CASE("guards: hash tables have twice the boundary and a floor") {
  auto director = two("mh");
  report_all(director, 0.97, 0.0);
  for (int i = 0; i < 20; ++i) {
    report_all(director, 0.97, 0.0);
    auto const decision = director.cycle();
    CHECK(decision.verdicts.at(0).boundary == 2.0);
  }
  auto const low = director.at(vip, "10.0.0.11:80").weight;
  auto const high = director.at(vip, "10.0.0.12:80").weight;
  CHECK(4 * low + 4 >= (low + high) / 2);
}
