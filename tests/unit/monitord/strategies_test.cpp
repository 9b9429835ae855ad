#include "monitord/strategies.hpp"
#include "monitord/reasons.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

constexpr auto vip = "tcp:10.9.9.9:80";

Director pair_of(StrategyKind strategy, std::string_view scheduler, std::uint32_t weight) {
  Director director;
  director.config.defaults.strategy = strategy;
  director.config.defaults.min_write_interval = 0s;
  director.config.defaults.up_step = 1.0;
  director.table = {service(vip, scheduler, {{"10.0.0.11:80", weight}, {"10.0.0.12:80", weight}})};
  return director;
}

Decision cycle(Director& director, double first, double second) {
  director.report("10.0.0.11", first, 0.6);
  director.report("10.0.0.12", second, 0.6);
  return director.cycle();
}

/// Weight of the first server / weight of the second.
double ratio(Director& director) {
  return static_cast<double>(director.at(vip, "10.0.0.11:80").weight) /
         static_cast<double>(director.at(vip, "10.0.0.12:80").weight);
}

}  // namespace

TEST_CASE("strategies: unknown names are none") {
  for (auto const* const name : {"", "Capacity", "capacity ", "responses", "equal"})
    CHECK_FALSE(strategy_from_name(name).has_value());
}

TEST_CASE("strategies: every kind has a name and every name its kind") {
  for (auto const& strategy : strategies()) {
    CHECK(strategy_from_name(strategy.name) == strategy.kind);
    CHECK(name_of_strategy(strategy.kind) == strategy.name);
  }
  CHECK(strategies().size() == 5);
  CHECK(name_of_strategy(StrategyKind::linear) == "linear");
}

TEST_CASE("strategies: each says which readings it needs") {
  Policy policy;
  CHECK(readings_needed(policy) == ReadingsNeeded{.connections = true});
  policy.strategy = StrategyKind::headroom;
  CHECK(readings_needed(policy) == ReadingsNeeded{});
  policy.strategy = StrategyKind::feedback;
  CHECK(readings_needed(policy) ==
        ReadingsNeeded{.response = true, .disk = true, .processes = true, .connections = true});
  policy.strategy = StrategyKind::response;
  CHECK(readings_needed(policy) == ReadingsNeeded{.response = true, .network = true, .disk = true});
  policy.strategy = StrategyKind::linear;
  CHECK(readings_needed(policy) ==
        ReadingsNeeded{.network = true, .disk = true, .load_average = true, .connections = true});
}

TEST_CASE("strategies: a reading whose coefficient is 0 is not needed") {
  Policy policy;
  policy.strategy = StrategyKind::feedback;
  policy.feedback.coefficients = {0, 0.5, 0.5, 0, 0, 0};
  CHECK(readings_needed(policy) == ReadingsNeeded{});
  policy.strategy = StrategyKind::response;
  policy.response.load_share = 1;
  policy.response.coefficients = {0.5, 0.5, 0, 0};
  CHECK(readings_needed(policy) == ReadingsNeeded{});
  policy.strategy = StrategyKind::linear;
  policy.linear.coefficients = {0.5, 0.5, 0, 0, 0, 0};
  CHECK(readings_needed(policy) == ReadingsNeeded{});
}

TEST_CASE("strategies: every one moves weight away from the loaded server of a pool of ones") {
  for (auto const kind : {StrategyKind::feedback, StrategyKind::response, StrategyKind::linear}) {
    for (auto const* const scheduler : {"wrr", "wlc", "sed"}) {
      INFO(name_of_strategy(kind) << " under " << scheduler);
      auto director = pair_of(kind, scheduler, 1);
      for (int i = 0; i < 5; ++i)
        cycle(director, 0.85, 0.2);
      CHECK(ratio(director) < 0.8);
    }
  }
}

TEST_CASE("strategies: feedback adds up steps that are too small to be written") {
  // A step of 5 on 100 is within the boundary of 5 % and within what a vector of shares may be off.
  for (auto const* const scheduler : {"wrr", "wlc"}) {
    INFO(scheduler);
    auto director = pair_of(StrategyKind::feedback, scheduler, 100);
    director.config.defaults.weights.max = 1000;
    auto const first = cycle(director, 0.3, 0.8);
    CHECK(first.plan.empty());
    for (int i = 0; i < 20; ++i)
      cycle(director, 0.3, 0.8);
    CHECK(ratio(director) > 1.3);
  }
}

TEST_CASE("strategies: feedback writes nothing at its fixed point") {
  auto director = pair_of(StrategyKind::feedback, "wlc", 10);
  cycle(director, 0.66, 0.66);
  director.writes = 0;
  for (int i = 0; i < 50; ++i)
    cycle(director, i % 2 == 0 ? 0.64 : 0.68, i % 2 == 0 ? 0.68 : 0.64);
  CHECK(director.writes == 0);
}

TEST_CASE("strategies: what was wished is forgotten with the strategy and by a foreign hand") {
  auto director = pair_of(StrategyKind::feedback, "wlc", 10);
  auto wished = [&director] {
    return director.state.services.at(service_key(vip))
        .destinations.at(destination_key("10.0.0.11:80"))
        .wished;
  };
  cycle(director, 0.3, 0.8);
  REQUIRE(wished().has_value());
  CHECK(wished()->by == StrategyKind::feedback);
  CHECK(wished()->weight > 10);
  director.at(vip, "10.0.0.11:80").weight = 77;
  cycle(director, 0.3, 0.8);
  CHECK_FALSE(wished().has_value());

  director.config.defaults.strategy = StrategyKind::linear;
  auto const decision = cycle(director, 0.3, 0.8);
  CHECK(wished()->by == StrategyKind::linear);
  CHECK(verdict_of(decision, "10.0.0.11:80").strategy == StrategyKind::linear);
}

TEST_CASE("strategies: the reason names the strategy's numbers and the pool's state") {
  auto director = pair_of(StrategyKind::feedback, "wlc", 10);
  auto const overloaded = cycle(director, 0.95, 0.90);
  auto const& verdict = verdict_of(overloaded, "10.0.0.11:80");
  REQUIRE(verdict.score.has_value());
  CHECK(reason_of(verdict).find("AGG 1.13 = 0.20 INPUT 1.00 + 0.60 CPU 1.36 + 0.20 MEM 0.57") !=
        std::string::npos);
  CHECK(reason_of(verdict).find("the whole pool is overloaded") != std::string::npos);
  CHECK(overloaded.notes ==
        std::vector<std::string>{
            "tcp 10.9.9.9:80: the whole pool is overloaded: every AGG is above the set-point"});
  CHECK(cycle(director, 0.95, 0.2).notes.empty());
  auto const idle = cycle(director, 0.05, 0.05);
  REQUIRE(idle.notes.size() == 1);
  CHECK(idle.notes[0].find("the whole pool is idle") != std::string::npos);
}

TEST_CASE("strategies: above the cut-off linear goes to the floor and comes back") {
  auto director = pair_of(StrategyKind::linear, "wlc", 50);
  director.config.defaults.weights.min = 2;
  auto const decision = cycle(director, 0.95, 0.3);
  CHECK(director.at(vip, "10.0.0.11:80").weight == 2);
  CHECK(reason_of(verdict_of(decision, "10.0.0.11:80")).find("CPU above the cut-off: floor") !=
        std::string::npos);
  for (int i = 0; i < 5; ++i)  // a step up is capped
    cycle(director, 0.3, 0.3);
  CHECK(ratio(director) == Approx(1.0).margin(0.05));
}

TEST_CASE("strategies: guards do not change what a strategy remembers it wished") {
  auto director = pair_of(StrategyKind::feedback, "wlc", 10);
  for (int i = 0; i < 10; ++i)
    cycle(director, 0.3, 0.8);
  // A newcomer is ramped up by the guards; the W of the others and its own go on.
  director.table[0].destinations.push_back(destination("10.0.0.13:80", 10));
  director.report("10.0.0.13", 0.3, 0.6);
  cycle(director, 0.3, 0.8);
  director.report("10.0.0.13", 0.3, 0.6);
  cycle(director, 0.3, 0.8);
  auto const& remembered = director.state.services.at(service_key(vip)).destinations;
  auto const& newcomer = remembered.at(destination_key("10.0.0.13:80"));
  REQUIRE(newcomer.admitted.has_value());
  REQUIRE(newcomer.wished.has_value());
  CHECK(newcomer.wished->weight > 10);
}

TEST_CASE("strategies: every one is relieved of a backlog under wrr") {
  for (auto const& strategy : strategies()) {
    INFO(strategy.name);
    auto director = pair_of(strategy.kind, "wrr", 10);
    auto const serve = [&](std::uint32_t waiting) {
      director.at(vip, "10.0.0.11:80").statistics.connections += 100;
      director.at(vip, "10.0.0.12:80").statistics.connections += 100;
      director.at(vip, "10.0.0.11:80").active_connections = waiting;
    };
    for (int i = 0; i < 10; ++i) {
      serve(0);
      cycle(director, 0.6, 0.6);
    }
    CHECK(ratio(director) == Approx(1.0));
    serve(400);
    auto const decision = cycle(director, 1.0, 0.6);
    CHECK(verdict_of(decision, "10.0.0.11:80").note.find("backlog: cut") != std::string::npos);
    CHECK(ratio(director) < 0.5);
  }
}
