// Silence is not death: held, then back to the base, cut where connections pile up (law 6).

#include <cstdint>

#include "support/catch.hpp"
#include "unit/monitord/three_servers.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

TEST_CASE("silence: silence is held for three polls and then returns to the base") {
  auto director = three();
  report_all(director, 0.95, 0.1);
  (void)director.cycle();
  CHECK(director.at(vip, "10.0.0.11:80").weight == 4);
  std::vector<Outcome> outcomes;
  for (int cycle = 0; cycle < 9; ++cycle) {
    director.report("10.0.0.12", 0.1, 0.8);
    director.report("10.0.0.13", 0.1, 0.8);
    outcomes.push_back(verdict_of(director.cycle(), "10.0.0.11:80").outcome);
  }
  CAPTURE(outcomes);
  CHECK(std::ranges::count(outcomes, Outcome::silent_hold) == 3);
  CHECK(std::ranges::count(outcomes, Outcome::silent_base) >= 1);
  CHECK(director.at(vip, "10.0.0.11:80").weight == 10);
}

TEST_CASE("silence: one server that misses its polls moves no weight of the others") {
  auto director = three("wrr");
  for (int cycle = 0; cycle < 6; ++cycle) {
    report_all(director, 0.6, 0.2);
    (void)director.cycle();
  }
  director.writes = 0;
  for (int cycle = 0; cycle < 4; ++cycle) {
    director.report("10.0.0.11", 0.6, 0.8);
    director.report("10.0.0.12", 0.2, 0.8);
    (void)director.cycle();
  }
  CHECK(director.writes == 0);
}

TEST_CASE("silence: a pool of which more than half is silent is frozen") {
  auto director = three();
  report_all(director, 0.1, 0.1);
  (void)director.cycle();
  auto const before = director.table;
  director.writes = 0;
  for (int cycle = 0; cycle < 20; ++cycle) {
    director.report("10.0.0.13", 0.95, 0.1);
    auto const decision = director.cycle();
    if (cycle < 2) continue;  // the last readings of the other two are still in time
    for (auto const& verdict : decision.verdicts)
      CHECK(verdict.outcome == Outcome::frozen);
  }
  CHECK(director.at(vip, "10.0.0.11:80").weight == before[0].destinations[0].weight);
  CHECK(director.at(vip, "10.0.0.12:80").weight == before[0].destinations[1].weight);
}

TEST_CASE("silence: exactly half silent does not freeze a pool") {
  auto director = three();
  director.table[0].destinations.push_back(destination("10.0.0.14:80", 10));
  for (int cycle = 0; cycle < 6; ++cycle) {
    director.report("10.0.0.11", 0.9, 0.8);
    director.report("10.0.0.12", 0.1, 0.8);
    auto const decision = director.cycle();
    CHECK(verdict_of(decision, "10.0.0.11:80").outcome != Outcome::frozen);
  }
  CHECK(director.at(vip, "10.0.0.11:80").weight < director.at(vip, "10.0.0.12:80").weight);
  CHECK(director.at(vip, "10.0.0.13:80").weight == 10);
}

TEST_CASE("silence: silent while connections pile up is cut even in a frozen pool") {
  auto director = three();
  for (auto& entry : director.table[0].destinations)
    entry.active_connections = 10;
  report_all(director, 0.9, 0.9);
  (void)director.cycle();
  (void)director.cycle();
  auto const before = director.at(vip, "10.0.0.11:80").weight;
  std::uint32_t open = 10;
  for (int cycle = 0; cycle < 8; ++cycle) {
    director.at(vip, "10.0.0.11:80").active_connections = open += 10;
    (void)director.cycle();
  }
  CHECK(before > 2);
  CHECK(director.at(vip, "10.0.0.11:80").weight <= 2);  // from 2 to 1 is within the boundary
  CHECK(director.at(vip, "10.0.0.12:80").weight > 2);
}

TEST_CASE(
    "silence: the cut of a silent server stands for a minute before it goes back to its base") {
  auto director = three();
  for (auto& entry : director.table[0].destinations)
    entry.active_connections = 10;
  report_all(director, 0.3, 0.8);
  (void)director.cycle();
  std::uint32_t open = 10;
  auto cut_at = director.now;
  auto raised_at = director.now;
  for (int cycle = 0; cycle < 60; ++cycle) {
    director.report("10.0.0.12", 0.3, 0.8);
    director.report("10.0.0.13", 0.3, 0.8);
    // Its pile grows, and is gone later.
    director.at(vip, "10.0.0.11:80").active_connections = cycle < 12 ? open += 10 : 10;
    auto const now = director.now;
    auto const outcome = verdict_of(director.cycle(), "10.0.0.11:80").outcome;
    if (outcome == Outcome::saturated_cut) cut_at = now;
    if (outcome == Outcome::silent_base && raised_at < cut_at) raised_at = now;
  }
  CHECK(raised_at - cut_at >= 60s);
  CHECK(raised_at - cut_at <= 62s);
  CHECK(director.at(vip, "10.0.0.11:80").weight == 10);
}
