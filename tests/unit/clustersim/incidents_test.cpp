// What happens in a scenario, seen from its results.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::Event;
using lvs::clustersim::RunResult;
using lvs::clustersim::Scenario;
using lvs::clustersim::SecondService;
using lvs::clustersim::SeriesPoint;
using lvs::test::result_of;
using lvs::test::scenario_of;

Event event_at(double at_s, std::size_t server) {
  Event event;
  event.at_s = at_s;
  event.server = server;
  return event;
}

const SeriesPoint& point_at(const RunResult& result, double at_s) {
  return *std::ranges::find_if(result.series,
                               [&](const SeriesPoint& point) { return point.at_s >= at_s; });
}

/// Three equal servers; the first is drained at 40 s and comes back at 80 s.
Scenario draining() {
  auto scenario = scenario_of({1, 1, 1}, 0.5, 120);
  scenario.events = {event_at(40, 0), event_at(80, 0)};
  scenario.events[0].weight = 0;
  scenario.events[1].weight = 10;
  return scenario;
}

TEST_CASE("incidents: a drained server is never written and gets nothing") {
  for (auto const* const scheduler : {"wrr", "wlc", "sed", "nq"}) {
    for (auto const* const strategy : {"capacity", "headroom", "clairvoyant", "equal", "jsq",
                                       "qps-over-utilisation", "best-static"}) {
      CAPTURE(scheduler, strategy);
      auto scenario = draining();
      scenario.scheduler = scheduler;
      auto const result = result_of(scenario, strategy);
      for (auto const& point : result.series) {
        if (point.at_s < 40 || point.at_s >= 80) continue;
        CHECK(point.weights[0] == 0);
        if (point.at_s >= 46) CHECK(point.cpu_busy[0] == 0);
      }
      CHECK(std::ranges::any_of(result.series, [](const SeriesPoint& point) {
        return point.at_s > 82 && point.cpu_busy[0] > 0.1;
      }));
      CHECK(result.failed == 0);
    }
  }
}

TEST_CASE("incidents: a crash fails what it meets until keepalived takes the server out") {
  auto scenario = scenario_of({1, 1, 1}, 0.5, 120);
  scenario.events = {event_at(40, 1), event_at(80, 1)};
  scenario.events[0].up = false;
  scenario.events[1].up = true;
  auto const result = result_of(scenario, "static");
  // A third of 75 requests per second for 6 s, and what was in progress.
  CHECK(result.failed > 130);
  CHECK(result.failed < 180);
  CHECK(point_at(result, 44).weights[1] == 10);
  CHECK(point_at(result, 48).weights[1] == 0);
  CHECK(point_at(result, 84).weights[1] == 0);
  CHECK(point_at(result, 88).weights[1] == 10);
  CHECK(point_at(result, 60).cpu_busy[1] == 0);
  CHECK(point_at(result, 100).cpu_busy[1] > 0.2);
}

TEST_CASE("incidents: a server that was drained while it was down stays drained") {
  auto scenario = scenario_of({1, 1, 1}, 0.3, 120);
  scenario.events = {event_at(40, 1), event_at(60, 1), event_at(80, 1)};
  scenario.events[0].up = false;
  scenario.events[1].weight = 0;
  scenario.events[2].up = true;
  auto const result = result_of(scenario, "capacity");
  CHECK(point_at(result, 110).weights[1] == 0);
  CHECK(point_at(result, 110).cpu_busy[1] == 0);
}

TEST_CASE("incidents: a neighbour and a slow-down show in C") {
  auto scenario = scenario_of({1, 1}, 0.3, 120);
  scenario.events = {event_at(40, 0), event_at(80, 1)};
  scenario.events[0].background = 0.5;
  scenario.events[1].speed = 0.5;
  auto const result = result_of(scenario, "static");
  auto const mean_cpu = [&](std::size_t server, double from, double to) {
    double sum = 0;
    int count = 0;
    for (auto const& point : result.series) {
      if (point.at_s <= from || point.at_s > to) continue;
      sum += point.cpu_busy[server];
      ++count;
    }
    return sum / count;
  };
  CHECK(mean_cpu(0, 10, 40) == Approx(0.3).margin(0.05));
  CHECK(mean_cpu(0, 44, 120) == Approx(0.8).margin(0.05));
  CHECK(mean_cpu(1, 10, 80) == Approx(0.3).margin(0.05));
  CHECK(mean_cpu(1, 84, 120) == Approx(0.6).margin(0.08));
}

TEST_CASE("incidents: a memory leak ends in thrashing that capacity relieves") {
  auto scenario = scenario_of({1, 1, 1, 1}, 0.5, 240);
  scenario.servers[2].memory_per_request = 0.002;
  scenario.events = {event_at(60, 2)};
  scenario.events[0].memory_used = 0.97;
  scenario.events[0].over_s = 60;
  auto const still = result_of(scenario, "static");
  CHECK(point_at(still, 80).active[2] < 30);
  CHECK(still.series.back().active[2] > 300);
  auto const steered = result_of(scenario, "capacity");
  CHECK(steered.mean_ms < still.mean_ms / 4);
}

TEST_CASE("incidents: a silent agent leaves its server in place") {
  auto scenario = scenario_of({1, 1, 4}, 0.5, 120);
  scenario.events = {event_at(30, 0), event_at(90, 0)};
  scenario.events[0].agent_answers = false;
  scenario.events[1].agent_answers = true;
  auto const result = result_of(scenario, "capacity");
  for (auto const& point : result.series)
    CHECK(point.weights[0] >= 1);
  CHECK(result.failed == 0);
}

TEST_CASE("incidents: requests that become dearer load the servers") {
  auto scenario = scenario_of({1, 1}, 0.3, 120);
  Event event;
  event.at_s = 60;
  event.request_mean_s = 0.040;
  scenario.events = {event};
  auto const result = result_of(scenario, "static");
  double before = 0;
  double after = 0;
  for (auto const& point : result.series)
    (point.at_s <= 60 ? before : after) += point.cpu_busy[0] / 30;
  CHECK(before == Approx(0.3).margin(0.05));
  CHECK(after == Approx(0.6).margin(0.08));
}

TEST_CASE("incidents: kept-alive connections are active while they pause") {
  auto scenario = scenario_of({1, 1}, 0.5, 120);
  scenario.scheduler = "sed";
  scenario.keepalive = {5, 1.0};
  auto const result = result_of(scenario, "static");
  // 50 requests/s in connections of 5 that last 4 s of pauses and some 40 ms a request.
  double active = 0;
  int points = 0;
  for (auto const& point : result.series) {
    if (point.at_s <= 20) continue;
    active += point.active[0] + point.active[1];
    ++points;
  }
  CHECK(active / points == Approx(10 * 4.2).epsilon(0.1));
  CHECK(result.arrived == Approx(50 * 96).epsilon(0.06));
}

TEST_CASE("incidents: a crash breaks pausing connections at their next request") {
  auto scenario = scenario_of({1, 1}, 0.2, 60);
  scenario.warmup_s = 0;
  scenario.keepalive = {10, 1.0};
  scenario.events = {event_at(30, 0), event_at(31, 0)};
  scenario.events[0].up = false;
  scenario.events[1].up = true;
  auto const result = result_of(scenario, "static");
  CHECK(result.failed > 4);  // of some 9: two connections a second that last 9 s, on two servers
  CHECK(result.arrived == result.completed + result.failed + result.unfinished);
}

TEST_CASE("incidents: persistence sends a client where it was before") {
  auto scenario = scenario_of({1, 1, 1, 1}, 0.4, 200);
  scenario.scheduler = "rr";
  auto const even = result_of(scenario, "static");
  scenario.persistence_s = 120;
  scenario.clients = 20;
  auto const sticky = result_of(scenario, "static");
  CHECK(even.share_error < 0.03);
  CHECK(sticky.share_error > 2 * even.share_error);
}

TEST_CASE("incidents: two services share their servers and both are steered") {
  auto scenario = scenario_of({1, 1, 4}, 0.6, 120);
  SecondService second;
  second.share = 0.5;
  second.scheduler = "wlc";
  second.servers = {0, 2};
  scenario.second_service = second;
  auto const equal = result_of(scenario, "equal");
  auto const steered = result_of(scenario, "capacity");
  CHECK(steered.mean_ms < equal.mean_ms / 2);
  CHECK(steered.writes_per_server_minute > 0);
  CHECK(steered.arrived == steered.completed + steered.failed + steered.unfinished);
}

TEST_CASE("incidents: agents that lose most answers do no harm") {
  auto scenario = scenario_of({1, 1, 2, 2}, 0.6, 200);
  scenario.agents.loss = 0.5;
  scenario.agents.lag_s = 0.3;
  auto const result = result_of(scenario, "capacity");
  auto const best = result_of(scenario, "clairvoyant");
  CHECK(result.mean_ms < 1.5 * best.mean_ms);
}

}  // namespace
