#pragma once

// Which simulations a command asks for, and what their results are together. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clustersim/scenario.hpp"
#include "clustersim/simulation.hpp"
#include "clustersim/summary.hpp"

namespace lvs::monitorctl {

/// One run.
struct SimulationTask {
  std::size_t scenario{};  ///< index
  std::string scheduler{}, strategy{};
  std::uint64_t seed{};

  friend bool operator==(const SimulationTask&, const SimulationTask&) = default;
};

/// What the command line says over the scenario files; empty: what they say.
struct SimulationChoice {
  std::vector<std::string> schedulers{}, strategies{};
  std::optional<unsigned> seeds{};  ///< 1 to this number
};

/// In the order in which results are shown: scenario, scheduler, strategy, seed.
std::vector<SimulationTask> tasks_from(const std::vector<clustersim::Scenario>& scenarios,
                                       const SimulationChoice& choice);

/// Runs that differ in nothing but the seed become one summary; `figures` are those of `tasks`.
std::vector<clustersim::Summary> summaries_from(const std::vector<clustersim::Scenario>& scenarios,
                                                const std::vector<SimulationTask>& tasks,
                                                const std::vector<clustersim::Figures>& figures);

}  // namespace lvs::monitorctl
