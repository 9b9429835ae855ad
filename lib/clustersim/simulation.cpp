#include "clustersim/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "clustersim/best_static.hpp"
#include "clustersim/policy.hpp"
#include "clustersim/run.hpp"

namespace lvs::clustersim {

RunResult simulate(const Scenario& scenario, const std::string& scheduler,
                   const std::string& strategy, std::uint64_t seed,
                   const monitord::Config& config) {
  auto const& dispatch = scheduler.empty() ? scenario.scheduler : scheduler;
  auto const policy = strategy == "best-static"
                          ? make_fixed_policy(best_static_weights(scenario, dispatch, seed))
                          : policy_from_name(strategy, scenario, config);
  RunSettings const settings{dispatch, strategy == "jsq", seed,
                             std::chrono::duration<double>(config.agent.deadline).count()};
  auto result = run(scenario, settings, *policy).result;
  result.scenario = scenario.name;
  result.scheduler = dispatch;
  result.strategy = strategy;
  result.seed = seed;
  return result;
}

}  // namespace lvs::clustersim
