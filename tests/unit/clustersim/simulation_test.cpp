// Whole runs: what queueing theory says, and that the loop closes.

#include <cmath>
#include <cstdint>

#include "scenarios.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::Distribution;
using lvs::test::result_of;
using lvs::test::scenario_of;

TEST_CASE("simulation: the mean response of M/M/1 processor sharing is s / (1 - load)") {
  auto const scenario = scenario_of({1}, 0.7, 6000);
  CHECK(result_of(scenario, "static").mean_ms == Approx(20 / 0.3).epsilon(0.04));
}

TEST_CASE("simulation: under processor sharing only the mean of the costs matters") {
  auto scenario = scenario_of({1}, 0.6, 12000);
  scenario.request.distribution = Distribution::lognormal;
  scenario.request.sigma = 1.0;
  CHECK(result_of(scenario, "static").mean_ms == Approx(20 / 0.4).epsilon(0.05));
  scenario.request.distribution = Distribution::fixed;
  CHECK(result_of(scenario, "static").mean_ms == Approx(20 / 0.4).epsilon(0.04));
}

TEST_CASE("simulation: every request is completed or failed or unfinished") {
  auto scenario = scenario_of({1, 2}, 0.9, 60);
  scenario.events.resize(2);
  scenario.events[0].at_s = 30;
  scenario.events[0].server = 1;
  scenario.events[0].up = false;
  scenario.events[1] = scenario.events[0];
  scenario.events[1].at_s = 45;
  scenario.events[1].up = true;
  auto const result = result_of(scenario, "capacity");
  CHECK(result.arrived > 3000);
  CHECK(result.failed > 0);
  CHECK(result.unfinished > 0);
  CHECK(result.arrived == result.completed + result.failed + result.unfinished);
}

TEST_CASE("simulation: clients give up and what they waited counts") {
  auto scenario = scenario_of({1}, 2, 120);
  scenario.patience_s = 5;
  auto const result = result_of(scenario, "static");
  CHECK(result.failed > result.arrived / 4);
  CHECK(result.completed > result.arrived / 4);
  CHECK(result.p99_ms > 5000);
  CHECK(result.p99_ms < 6100);  // looked at once a second
  CHECK(result.arrived == result.completed + result.failed + result.unfinished);
}

TEST_CASE("simulation: the same arguments give the same result") {
  auto const scenario = scenario_of({1, 1, 2}, 0.7, 60);
  auto const first = result_of(scenario, "capacity", 7);
  auto const second = result_of(scenario, "capacity", 7);
  auto const other = result_of(scenario, "capacity", 8);
  CHECK(first.mean_ms == second.mean_ms);
  CHECK(first.p99_ms == second.p99_ms);
  CHECK(first.completed == second.completed);
  CHECK(first.series.size() == 30);
  CHECK(first.series.back().weights == second.series.back().weights);
  CHECK(first.mean_ms != other.mean_ms);
}

TEST_CASE("simulation: every strategy meets the same requests") {
  auto const scenario = scenario_of({1, 1, 2}, 0.7, 60);
  CHECK(result_of(scenario, "jsq").arrived == result_of(scenario, "capacity").arrived);
}

TEST_CASE("simulation: capacity under wrr comes near the clairvoyant") {
  auto const scenario = scenario_of({1, 1, 2, 2, 4, 4}, 0.7, 300);
  auto const clairvoyant = result_of(scenario, "clairvoyant");
  auto const capacity = result_of(scenario, "capacity");
  auto const equal = result_of(scenario, "equal");
  CHECK(capacity.mean_ms < 1.25 * clairvoyant.mean_ms);
  CHECK(capacity.mean_ms < 0.1 * equal.mean_ms);
}

}  // namespace

TEST_CASE("simulation: answered requests are told by server") {
  auto scenario = scenario_of({1, 1, 1}, 0.5, 60);
  scenario.scheduler = "rr";
  auto const result = result_of(scenario, "static");
  REQUIRE(result.answered_by_server.size() == 3);
  std::uint64_t sum = 0;
  for (auto const answered : result.answered_by_server) {
    CHECK(std::abs(static_cast<double>(answered) - static_cast<double>(result.completed) / 3) < 5);
    sum += answered;
  }
  CHECK(sum == result.completed);
}
