// The laws of the loop, one scenario each: cycles on a table in memory, no clock, no kernel.

#include "monitord/reasons.hpp"
#include "support/catch.hpp"
#include "unit/monitord/three_servers.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

TEST_CASE("decide: an empty table gives an empty decision") {
  Director director;
  auto const decision = director.decided();
  CHECK(decision.verdicts.empty());
  CHECK(decision.plan.empty());
}

TEST_CASE("decide: a loaded server loses weight and the reason carries the numbers") {
  auto director = three();
  report_all(director, 0.9, 0.1);
  auto const decision = director.cycle();
  auto const& loaded = verdict_of(decision, "10.0.0.11:80");
  CHECK(loaded.outcome == Outcome::change);
  REQUIRE(loaded.write.has_value());
  CHECK(*loaded.write < 10);
  CHECK(loaded.composite == Approx(0.6 * 0.1 + 0.4 * 0.8));
  CHECK(reason_of(loaded).find("C 0.90 M 0.80 F 0.38") != std::string::npos);
  CHECK(director.at(vip, "10.0.0.11:80").weight == *loaded.write);
}

TEST_CASE("decide: every destination gets a verdict with a reason in every cycle") {
  auto director = three();
  director.table.push_back(service("udp:10.9.9.9:53", "rr", {{"10.0.0.11:53", 1}}));
  director.table.push_back(service("fwm:7", "wrr", {{"10.0.0.12:0", 0}}));
  for (int cycle = 0; cycle < 5; ++cycle) {
    report_all(director, 0.5, 0.2);
    auto const decision = director.cycle();
    REQUIRE(decision.verdicts.size() == 5);
    for (auto const& verdict : decision.verdicts)
      CHECK_FALSE(reason_of(verdict).empty());
  }
}

TEST_CASE("decide: a destination at weight 0 is never written whatever its server says") {
  auto const scheduler = GENERATE("wrr", "wlc", "sed", "mh");
  auto director = three(scheduler);
  director.at(vip, "10.0.0.11:80").weight = 0;
  for (int cycle = 0; cycle < 30; ++cycle) {
    report_all(director, (cycle % 10) / 10.0, 0.4);
    auto const decision = director.cycle();
    auto const& drained = verdict_of(decision, "10.0.0.11:80");
    CHECK(drained.outcome == Outcome::drained);
    CHECK_FALSE(drained.write.has_value());
    CHECK(director.at(vip, "10.0.0.11:80").weight == 0);
  }
}

TEST_CASE("decide: a foreign zero is left alone until somebody raises it: case 51") {
  auto director = three();
  report_all(director, 0.1, 0.1);
  (void)director.cycle();
  director.at(vip, "10.0.0.11:80").weight = 0;
  for (int cycle = 0; cycle < 5; ++cycle) {
    report_all(director, 0.05, 0.1);
    CHECK(verdict_of(director.cycle(), "10.0.0.11:80").outcome == Outcome::drained);
  }
  director.at(vip, "10.0.0.11:80").weight = 10;
  report_all(director, 0.1, 0.1);
  auto const& raised = verdict_of(director.cycle(), "10.0.0.11:80");
  CHECK(raised.outcome == Outcome::foreign);
  report_all(director, 0.9, 0.1);
  CHECK(verdict_of(director.cycle(), "10.0.0.11:80").outcome == Outcome::change);
}

TEST_CASE("decide: an observed base becomes the foreign value and a configured one stays") {
  auto director = three();
  bool const configured = GENERATE(false, true);
  if (configured) director.config.servers[address("10.0.0.11")].base = 20;
  report_all(director, 0.1, 0.1);
  (void)director.cycle();
  director.at(vip, "10.0.0.11:80").weight = 50;
  report_all(director, 0.1, 0.1);
  auto const& verdict = verdict_of(director.cycle(), "10.0.0.11:80");
  CHECK(verdict.outcome == Outcome::foreign);
  CHECK_FALSE(verdict.write.has_value());
  CHECK(verdict.base == (configured ? 20U : 50U));
}

TEST_CASE("decide: our own writes never move the base") {
  auto director = three();
  for (int cycle = 0; cycle < 40; ++cycle) {
    report_all(director, (cycle * 7 % 10) / 10.0, 0.3);
    for (auto const& verdict : director.cycle().verdicts)
      CHECK(verdict.base == 10);
  }
  CHECK(director.writes > 5);
}

TEST_CASE("decide: a write that may have happened is not foreign") {
  auto director = three();
  report_all(director, 0.1, 0.1);
  (void)director.cycle();
  auto& remembered =
      director.state.services.at(service_key(vip)).destinations.at(destination_key("10.0.0.11:80"));
  remembered.intended = 7;
  auto const weight = GENERATE(7U, 10U);
  director.at(vip, "10.0.0.11:80").weight = weight;
  report_all(director, 0.1, 0.1);
  auto const& verdict = verdict_of(director.decided(), "10.0.0.11:80");
  CHECK(verdict.outcome != Outcome::foreign);
  CHECK(verdict.base == 10);
}

TEST_CASE("decide: a target within the boundary is not written") {
  auto director = three();
  for (auto& entry : director.table[0].destinations)
    entry.weight = 100;
  director.config.defaults.boundary = {loadcalc::Boundary::Unit::weight, 30};
  for (int cycle = 0; cycle < 10; ++cycle) {
    report_all(director, 0.30, 0.28);
    (void)director.cycle();
  }
  CHECK(director.writes == 0);
}

TEST_CASE("decide: load that wavers by a percent is written once at most: case 32") {
  auto director = three();
  for (auto& entry : director.table[0].destinations)
    entry.weight = 100;
  director.config.interval = 1s;
  director.config.defaults.headroom.shares = {1.0, 0.0};  // F is what the CPU has to spare
  report_all(director, 0.5, 0.5);
  (void)director.cycle();
  (void)director.cycle();
  REQUIRE(director.at(vip, "10.0.0.11:80").weight == 50);
  director.writes = 0;
  for (int cycle = 0; cycle < 60; ++cycle) {
    report_all(director, cycle % 2 == 0 ? 0.51 : 0.50, 0.5);
    (void)director.cycle();
  }
  CHECK(director.writes <= 1);
}

TEST_CASE("decide: writes to one service keep their distance but a saturated server is cut") {
  auto director = three();
  director.config.defaults.min_write_interval = 60s;
  report_all(director, 0.6, 0.1);
  (void)director.cycle();
  CHECK(director.writes > 0);
  report_all(director, 0.1, 0.6);
  CHECK(verdict_of(director.cycle(), "10.0.0.11:80").outcome == Outcome::waiting);
  report_all(director, 0.995, 0.1);
  CHECK(verdict_of(director.cycle(), "10.0.0.11:80").outcome == Outcome::change);
}

TEST_CASE("decide: only listed services are written: case 55") {
  auto director = three();
  director.table.push_back(
      service("udp:10.9.9.10:53", "wlc", {{"10.0.0.11:53", 9}, {"10.0.0.12:53", 9}}));
  director.config.services = {{ServiceConfig{service_key(vip), director.config.defaults, {}}}};
  for (int cycle = 0; cycle < 10; ++cycle) {
    report_all(director, 0.9, 0.1);
    auto const decision = director.cycle();
    CHECK(verdict_of(decision, "10.0.0.11:53").outcome == Outcome::unmanaged);
  }
  CHECK(director.at("udp:10.9.9.10:53", "10.0.0.11:53").weight == 9);
  CHECK(director.at(vip, "10.0.0.11:80").weight < 10);
}

TEST_CASE("decide: schedulers that ignore weights are left alone") {
  auto const scheduler = GENERATE("rr", "lc", "dh", "fo", "ovf", "lblc", "lblcr", "none");
  auto director = three(scheduler);
  report_all(director, 0.9, 0.1);
  CHECK(verdict_of(director.cycle(), "10.0.0.11:80").outcome == Outcome::weights_ignored);
  CHECK(director.writes == 0);
}

TEST_CASE("decide: one server alone has nobody to be compared with") {
  Director director;
  director.table = {service(vip, "wlc", {{"10.0.0.11:80", 10}})};
  director.report("10.0.0.11", 0.99, 0.1);
  CHECK(verdict_of(director.cycle(), "10.0.0.11:80").outcome == Outcome::alone);
  CHECK(director.writes == 0);
}

TEST_CASE("decide: an unknown measure holds the weight and does not spoil the others") {
  auto director = three();
  report_all(director, 0.8, 0.1);
  director.readings.at(address("10.0.0.12")).cpu_busy.reset();
  auto const decision = director.cycle();
  CHECK(verdict_of(decision, "10.0.0.12:80").outcome == Outcome::unknown_reading);
  CHECK(director.at(vip, "10.0.0.12:80").weight == 10);
  CHECK(verdict_of(decision, "10.0.0.11:80").outcome == Outcome::change);
}

TEST_CASE("decide: a destination is forgotten after two dumps without it: case 46") {
  auto director = three();
  report_all(director, 0.1, 0.1);
  (void)director.cycle();
  auto const key = service_key(vip);
  auto const gone = director.table[0].destinations.back();
  director.table[0].destinations.pop_back();
  (void)director.cycle();
  CHECK(director.state.services.at(key).destinations.contains(gone.key));
  (void)director.cycle();
  CHECK_FALSE(director.state.services.at(key).destinations.contains(gone.key));
  director.table.clear();
  (void)director.cycle();
  CHECK(director.state.services.contains(key));
  (void)director.cycle();
  CHECK_FALSE(director.state.services.contains(key));
}

TEST_CASE("decide: counters that fall are a reset and never a huge number") {
  auto director = three();
  director.at(vip, "10.0.0.11:80").statistics.connections = 5000;
  report_all(director, 0.1, 0.1);
  (void)director.cycle();
  director.at(vip, "10.0.0.11:80").statistics.connections = 3;
  report_all(director, 0.1, 0.1);
  CHECK(verdict_of(director.cycle(), "10.0.0.11:80").new_connections == 3);
}

TEST_CASE("decide: connections that no counter shows hold the pool") {
  auto director = three();
  director.config.defaults.strategy = StrategyKind::capacity;
  bool const are_short = GENERATE(false, true);
  auto& server = director.at(vip, "10.0.0.11:80");
  Decision decision;
  for (int cycle = 0; cycle < 5; ++cycle) {
    ++(are_short ? server.inactive_connections : server.active_connections);
    report_all(director, 0.9, 0.1);
    decision = director.cycle();
  }
  CHECK(verdict_of(decision, "10.0.0.11:80").outcome == Outcome::counters_frozen);
  server.statistics.connections += 20;
  report_all(director, 0.9, 0.1);
  CHECK(verdict_of(director.cycle(), "10.0.0.11:80").outcome != Outcome::counters_frozen);
}

TEST_CASE("decide: connections that end, or that a slow counter shows, hold nothing") {
  auto director = three();
  director.config.defaults.strategy = StrategyKind::capacity;
  director.config.interval = 500ms;
  auto& server = director.at(vip, "10.0.0.11:80");
  server.active_connections = 100;
  bool const ends = GENERATE(false, true);
  for (int cycle = 1; cycle < 20; ++cycle) {
    if (ends) --server.active_connections;
    ++server.inactive_connections;
    if (!ends && cycle % 4 == 0) server.statistics.connections += 4;  // every 2 s
    report_all(director, 0.9, 0.1);
    CHECK(verdict_of(director.cycle(), "10.0.0.11:80").outcome != Outcome::counters_frozen);
  }
}

TEST_CASE("decide: the result does not depend on the order of the table") {
  auto director = three();
  director.table.push_back(service("fwm:3", "wrr", {{"10.0.0.11:0", 5}, {"10.0.0.12:0", 5}}));
  report_all(director, 0.7, 0.2);
  auto const straight = director.decided();
  std::ranges::reverse(director.table);
  for (auto& entry : director.table)
    std::ranges::reverse(entry.destinations);
  auto const reversed = director.decided();
  CHECK(straight.verdicts == reversed.verdicts);
  CHECK(straight.plan == reversed.plan);
  CHECK(straight.next == reversed.next);
}

TEST_CASE("decide: INPUT is the share of new connections against the mean") {
  auto director = three();
  report_all(director, 0.1, 0.1);
  (void)director.cycle();
  director.at(vip, "10.0.0.11:80").statistics.connections = 60;
  director.at(vip, "10.0.0.12:80").statistics.connections = 30;
  report_all(director, 0.1, 0.1);
  auto const decision = director.cycle();
  CHECK(verdict_of(decision, "10.0.0.11:80").input == Approx(2.0));
  CHECK(verdict_of(decision, "10.0.0.12:80").input == Approx(1.0));
  CHECK(verdict_of(decision, "10.0.0.13:80").input == Approx(0.0));
}

TEST_CASE("decide: a standby director learns nothing from busy servers") {
  auto director = three();
  director.config.defaults.strategy = StrategyKind::capacity;
  for (auto& destination : director.table[0].destinations)
    destination.active_connections = 0;
  for (int cycle = 0; cycle < 20; ++cycle) {
    report_all(director, 0.9, 0.3);
    (void)director.cycle();
  }
  CHECK(director.writes == 0);
  CHECK(director.state.servers.at(address("10.0.0.11")).model.load < 3.0);
}

TEST_CASE("decide: a server that pages teaches nothing, and goes on where it was") {
  auto director = three();
  director.config.defaults.strategy = StrategyKind::capacity;
  auto const serve = [&](double memory) {
    for (auto const* name : {"10.0.0.11:80", "10.0.0.12:80", "10.0.0.13:80"})
      director.at(vip, name).statistics.connections += 50;
    report_all(director, 0.5, 0.5);
    director.report("10.0.0.11", 1.0, memory);
    (void)director.cycle();
    return director.state.servers.at(address("10.0.0.11")).model.work;
  };
  (void)serve(0.3);
  auto const before = serve(0.3);
  REQUIRE(before > 0.0);
  CHECK(serve(0.04) == before);
  CHECK(serve(0.3) > before);
}
