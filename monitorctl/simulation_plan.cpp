#include "monitorctl/simulation_plan.hpp"

namespace lvs::monitorctl {

using clustersim::Scenario;
using clustersim::Summary;

namespace {

std::vector<std::uint64_t> seeds_of(const Scenario& scenario, const SimulationChoice& choice) {
  if (!choice.seeds) return scenario.seeds;
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = 1; seed <= *choice.seeds; ++seed)
    seeds.push_back(seed);
  return seeds;
}

bool differ_in_seed_only(const SimulationTask& one, SimulationTask other) {
  other.seed = one.seed;
  return one == other;
}

}  // namespace

std::vector<SimulationTask> tasks_from(const std::vector<Scenario>& scenarios,
                                       const SimulationChoice& choice) {
  std::vector<SimulationTask> tasks;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const Scenario& scenario = scenarios[i];
    const auto schedulers =
        choice.schedulers.empty() ? std::vector{scenario.scheduler} : choice.schedulers;
    const auto& strategies = choice.strategies.empty() ? scenario.strategies : choice.strategies;
    for (const auto& scheduler : schedulers) {
      for (const auto& strategy : strategies) {
        for (const auto seed : seeds_of(scenario, choice))
          tasks.push_back({i, scheduler, strategy, seed});
      }
    }
  }
  return tasks;
}

std::vector<Summary> summaries_from(const std::vector<Scenario>& scenarios,
                                    const std::vector<SimulationTask>& tasks,
                                    const std::vector<clustersim::Figures>& figures) {
  std::vector<Summary> summaries;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const SimulationTask& task = tasks[i];
    if (i == 0 || !differ_in_seed_only(tasks[i - 1], task)) {
      summaries.push_back({scenarios[task.scenario].name, task.scheduler, task.strategy, {}, {}});
    }
    summaries.back().runs.push_back(figures[i]);
  }
  for (Summary& summary : summaries)
    summary.medians = clustersim::medians_of(summary.runs);
  return summaries;
}

}  // namespace lvs::monitorctl
