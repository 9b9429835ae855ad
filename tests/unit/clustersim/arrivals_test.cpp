#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "clustersim/arrivals.hpp"
#include "clustersim/workload.hpp"
#include "scenarios.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::Arrivals;
using lvs::clustersim::Distribution;
using lvs::clustersim::mean_request_cost;
using lvs::clustersim::pool_capacity;
using lvs::clustersim::Random;
using lvs::clustersim::Scenario;
using lvs::clustersim::SecondService;
using lvs::clustersim::Workload;
using lvs::test::scenario_of;

/// Arrivals per second in each stretch of `width` seconds.
std::vector<double> rates_of(const Scenario& scenario, double width, std::size_t count) {
  Arrivals arrivals(scenario, 1);
  std::vector<double> rates(count);
  while (true) {
    auto const stretch = static_cast<std::size_t>(arrivals.next() / width);
    if (stretch >= count) return rates;
    rates[stretch] += 1 / width;
  }
}

TEST_CASE("arrivals: none without a load") {
  Scenario const scenario = scenario_of({1}, 0);
  CHECK(Arrivals(scenario, 1).next() == std::numeric_limits<double>::infinity());
}

TEST_CASE("arrivals: the load is a share of what the pool can take") {
  auto scenario = scenario_of({1, 3}, 0.5);
  scenario.servers[1].cores = 2;
  CHECK(pool_capacity(scenario) == Approx(7 / 0.020));
  CHECK(rates_of(scenario, 400, 1)[0] == Approx(175).epsilon(0.02));
  scenario.keepalive.requests = 5;
  CHECK(rates_of(scenario, 400, 1)[0] == Approx(35).epsilon(0.03));
  scenario.arrivals_per_s = 50;
  scenario.load.reset();
  CHECK(rates_of(scenario, 400, 1)[0] == Approx(10).epsilon(0.05));
}

TEST_CASE("arrivals: classes and a second service count in the mean cost") {
  auto scenario = scenario_of({1}, 0.5);
  scenario.classes = {{0.9, 0.010}, {0.1, 0.210}};
  CHECK(mean_request_cost(scenario) == Approx(0.030));
  SecondService second;
  second.share = 0.25;
  second.request.mean_s = 0.110;
  scenario.second_service = second;
  CHECK(mean_request_cost(scenario) == Approx(0.050));
}

TEST_CASE("arrivals: events move the load at once or over a time") {
  auto scenario = scenario_of({1}, 0.5);
  scenario.events.resize(2);
  scenario.events[0].at_s = 100;
  scenario.events[0].load = 1.0;
  scenario.events[1].at_s = 200;
  scenario.events[1].over_s = 100;
  scenario.events[1].load = 0.2;
  auto const rates = rates_of(scenario, 100, 4);
  CHECK(rates[0] == Approx(25).epsilon(0.06));
  CHECK(rates[1] == Approx(50).epsilon(0.06));
  CHECK(rates[2] == Approx(30).epsilon(0.06));
  CHECK(rates[3] == Approx(10).epsilon(0.10));
}

TEST_CASE("arrivals: a wave swings with its period") {
  auto scenario = scenario_of({10}, 1);
  scenario.wave = {0.8, 100};
  auto const rates = rates_of(scenario, 50, 8);
  constexpr double swing = 0.8 * 2 / 3.14159265;
  for (std::size_t i = 0; i < rates.size(); ++i)
    CHECK(rates[i] == Approx(500 * (1 + (i % 2 == 0 ? swing : -swing))).epsilon(0.06));
}

TEST_CASE("arrivals: bursts keep the mean and spread the counts") {
  auto scenario = scenario_of({10}, 1);
  scenario.burst = {0.5, 5};
  auto const rates = rates_of(scenario, 1, 4000);
  double sum = 0;
  double squares = 0;
  for (auto const rate : rates) {
    sum += rate;
    squares += (rate - 500) * (rate - 500);
  }
  CHECK(sum / 4000 == Approx(500).epsilon(0.03));
  // Poisson alone: 22. The states are at 250 and 750.
  CHECK(std::sqrt(squares / 4000) > 200);
  CHECK(std::sqrt(squares / 4000) < 250);
}

double mean_cost(const Workload& workload, std::uint32_t service) {
  Random random(1, "test");
  double sum = 0;
  for (int i = 0; i < 100000; ++i)
    sum += workload.cost(service, random);
  return sum / 100000;
}

TEST_CASE("workload: every distribution has the mean that was asked for") {
  auto scenario = scenario_of({1}, 0.5);
  CHECK(mean_cost(Workload(scenario), 0) == Approx(0.020).epsilon(0.02));
  scenario.request.distribution = Distribution::lognormal;
  scenario.request.sigma = 1;
  CHECK(mean_cost(Workload(scenario), 0) == Approx(0.020).epsilon(0.03));
  scenario.request.distribution = Distribution::fixed;
  CHECK(mean_cost(Workload(scenario), 0) == Approx(0.020).epsilon(1e-9));
  scenario.classes = {{0.9, 0.010}, {0.1, 0.210}};
  Workload workload(scenario);
  CHECK(mean_cost(workload, 0) == Approx(0.030).epsilon(0.03));
  workload.set_mean(0.060);
  CHECK(mean_cost(workload, 0) == Approx(0.060).epsilon(0.03));
}

TEST_CASE("workload: with persistence clients come as often as one over their rank") {
  auto scenario = scenario_of({1}, 0.5);
  scenario.persistence_s = 60;
  scenario.clients = 3;
  Workload const workload(scenario);
  Random random(1, "test");
  std::vector<double> count(3);
  for (int i = 0; i < 110000; ++i)
    ++count.at(workload.client(random));
  CHECK(count[0] == Approx(60000).epsilon(0.02));
  CHECK(count[1] == Approx(30000).epsilon(0.03));
  CHECK(count[2] == Approx(20000).epsilon(0.03));
}

TEST_CASE("workload: the second service gets its share") {
  auto scenario = scenario_of({1}, 0.5);
  SecondService second;
  second.share = 0.2;
  second.request.mean_s = 0.1;
  scenario.second_service = second;
  Workload const workload(scenario);
  Random random(1, "test");
  double seconds = 0;
  for (int i = 0; i < 50000; ++i)
    seconds += workload.service(random);
  CHECK(seconds / 50000 == Approx(0.2).margin(0.01));
  CHECK(mean_cost(workload, 1) == Approx(0.1).epsilon(0.02));
}

}  // namespace
