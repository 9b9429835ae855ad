#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clustersim/best_static.hpp"
#include "clustersim/policy.hpp"
#include "clustersim/virtual_service.hpp"
#include "scenarios.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::best_static_weights;
using lvs::clustersim::is_strategy;
using lvs::clustersim::make_clairvoyant_policy;
using lvs::clustersim::make_fixed_policy;
using lvs::clustersim::make_qps_policy;
using lvs::clustersim::make_static_policy;
using lvs::clustersim::policy_from_name;
using lvs::clustersim::server_address;
using lvs::clustersim::Sight;
using lvs::clustersim::WeightPolicy;
using lvs::clustersim::weights_from_capacities;
using lvs::clustersim::WeightWrite;
using lvs::clustersim::WeightWrites;
using lvs::test::result_of;
using lvs::test::scenario_of;

/// A service whose destinations stand in the order of their servers.
struct View {
  explicit View(const std::vector<std::uint32_t>& weights)
      : completed(weights.size()), capacities(weights.size(), 1) {
    seen.table.resize(1);
    servers.resize(1);
    for (auto const weight : weights) {
      lvs::ipvs::Destination destination;
      destination.key = {server_address(servers[0].size()), 80};
      destination.weight = weight;
      servers[0].push_back(servers[0].size());
      seen.table[0].destinations.push_back(destination);
    }
  }

  void report(std::size_t server, double cpu_busy) {
    seen.readings[server_address(server)].cpu_busy = cpu_busy;
  }
  [[nodiscard]] Sight sight() const { return {seen, servers, capacities, completed}; }

  lvs::monitord::Observations seen{};
  std::vector<std::vector<std::size_t>> servers{};
  std::vector<std::uint64_t> completed;
  std::vector<double> capacities;
};

TEST_CASE("policy: names") {
  for (auto const* const name : {"", "Capacity", "best", "jsq "})
    CHECK_FALSE(is_strategy(name));
  for (auto const* const name : {"capacity", "headroom", "equal", "static", "clairvoyant",
                                 "best-static", "jsq", "qps-over-utilisation"}) {
    CAPTURE(name);
    CHECK(is_strategy(name));
    if (std::string(name) == "best-static") continue;
    CHECK(policy_from_name(name, scenario_of({1}, 0.5), {}) != nullptr);
  }
}

TEST_CASE("policy: static never writes") {
  View const view({3, 9});
  auto const policy = make_static_policy();
  CHECK(policy->changed(view.sight()).empty());
  CHECK(policy->cycle(view.sight()).empty());
}

TEST_CASE("policy: fixed weights come back but for what is drained") {
  View const view({10, 0, 7});
  auto const policy = make_fixed_policy({10, 10, 10});
  CHECK(policy->changed(view.sight()) == WeightWrites{WeightWrite{0, 2, 10}});
  CHECK(policy->cycle(view.sight()).empty());
}

TEST_CASE("policy: the clairvoyant writes small integers in proportion to true capacities") {
  CHECK(weights_from_capacities(std::vector<double>{2, 4, 8}) ==
        std::vector<std::uint32_t>{1, 2, 4});
  CHECK(weights_from_capacities(std::vector<double>{0, 0}) == std::vector<std::uint32_t>{1, 1});
  CHECK(weights_from_capacities(std::vector<double>{0, 5}).front() >= 1);
  View view({1, 2, 1});
  view.capacities = {1, 2, 4};
  auto const policy = make_clairvoyant_policy();
  CHECK(policy->changed(view.sight()) == WeightWrites{WeightWrite{0, 2, 4}});
}

TEST_CASE("policy: requests per utilisation as weights") {
  View view({10, 10, 10, 0});
  auto const policy = make_qps_policy();
  CHECK(policy->cycle(view.sight()).empty());
  view.completed = {100, 100, 0, 100};
  view.report(0, 0.5);
  view.report(1, 0.25);
  view.report(3, 0.5);
  // 200, 400, unknown (the mean, 267), 200 but drained.
  CHECK(policy->cycle(view.sight()) ==
        WeightWrites{WeightWrite{0, 0, 50}, WeightWrite{0, 1, 100}, WeightWrite{0, 2, 67}});
  view.completed = {250, 200, 0, 200};
  // 200 + 0.3 * (300 - 200) = 230 of 400
  CHECK(policy->cycle(view.sight()).front() == WeightWrite{0, 0, 58});
}

TEST_CASE("policy: the best static weights are no worse than equal ones or the true capacities") {
  for (auto const* const scheduler : {"wrr", "sed"}) {
    CAPTURE(scheduler);
    auto scenario = scenario_of({1, 2, 4}, 0.7, 120);
    scenario.scheduler = scheduler;
    auto const best = result_of(scenario, "best-static", 3);
    CHECK(best.mean_ms <= 1.02 * result_of(scenario, "equal", 3).mean_ms);
    CHECK(best.mean_ms <= 1.02 * result_of(scenario, "clairvoyant", 3).mean_ms);
    CHECK(best.writes_per_server_minute == 0);
    CHECK(best_static_weights(scenario, scheduler, 3) ==
          best_static_weights(scenario, scheduler, 3));
  }
}

}  // namespace
