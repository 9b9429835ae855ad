#pragma once

// Scenarios in few words.

#include <cstddef>
#include <vector>

#include "clustersim/scenario.hpp"
#include "clustersim/simulation.hpp"

namespace lvs::test {

/// Servers with these speeds, one core each, at `load` under exponential requests of 20 ms.
inline clustersim::Scenario scenario_of(const std::vector<double>& speeds, double load,
                                        double duration_s = 200) {
  clustersim::Scenario scenario;
  scenario.name = "test";
  scenario.load = load;
  scenario.duration_s = duration_s;
  scenario.warmup_s = duration_s / 5;
  for (auto const speed : speeds) {
    clustersim::Server server;
    server.speed = speed;
    server.memory_per_request = 0.0002;
    scenario.servers.push_back(server);
  }
  return scenario;
}

inline clustersim::RunResult result_of(const clustersim::Scenario& scenario, const char* strategy,
                                       std::uint64_t seed = 1) {
  return clustersim::simulate(scenario, {}, strategy, seed, {});
}

}  // namespace lvs::test
