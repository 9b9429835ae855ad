#include <fmt/format.h>

#include <utility>

#include "clustersim/plot_svg.hpp"
#include "clustersim/scenario_yaml.hpp"
#include "clustersim/simulation.hpp"
#include "monitorctl/commands.hpp"
#include "monitorctl/config_input.hpp"
#include "monitorctl/file_input.hpp"
#include "monitorctl/file_output.hpp"
#include "monitorctl/parallel.hpp"
#include "monitorctl/progress.hpp"
#include "monitorctl/simulation_plan.hpp"
#include "monitorctl/simulation_report.hpp"
#include "monitord/config_yaml.hpp"

namespace lvs::monitorctl {
namespace {

using clustersim::Scenario;

/// What the files hold; `failed` when one of them cannot be used, with all their problems.
struct Input {
  std::vector<Scenario> scenarios{};
  monitord::Config config{};
  std::string messages{};
  int status{exit_status::ok};

  void fail(int why, const std::string& message) {
    messages += message;
    if (status != exit_status::bad_file) status = why;
  }
};

void read_scenario(const std::string& path, Input& input) {
  auto text = text_from_file(path);
  if (!text) return input.fail(exit_status::failure, "monitorctl: " + text.error() + "\n");
  auto checked = clustersim::scenario_from_yaml(std::move(*text), path);
  if (!checked) {
    return input.fail(exit_status::bad_file, strictyaml::string_from_problems(checked.error()));
  }
  input.messages += strictyaml::string_from_problems(checked->warnings);
  for (const Scenario& other : input.scenarios) {
    if (other.name != checked->scenario.name) continue;
    return input.fail(exit_status::failure,
                      fmt::format("monitorctl: {}: the name {} is taken by another scenario\n",
                                  path, other.name));
  }
  input.scenarios.push_back(std::move(checked->scenario));
}

void read_config(const std::string& path, Input& input) {
  if (path.empty()) return;
  auto files = config_files_from_argument(path);
  if (!files) return input.fail(files.error().status, files.error().err);
  auto checked = monitord::config_from_files(std::move(*files));
  if (!checked) {
    return input.fail(exit_status::bad_file, strictyaml::string_from_problems(checked.error()));
  }
  input.messages += strictyaml::string_from_problems(checked->warnings);
  input.config = std::move(checked->config);
}

Input input_from(const SimulateOptions& options) {
  Input input;
  for (const auto& path : options.files)
    read_scenario(path, input);
  read_config(options.config, input);
  return input;
}

struct Results {
  std::vector<clustersim::Figures> figures{};
  std::vector<clustersim::RunResult> drawn{};  ///< with their series: the first seed's
};

bool is_first_seed(const std::vector<SimulationTask>& tasks, std::size_t i) {
  if (i == 0) return true;
  SimulationTask before = tasks[i - 1];
  before.seed = tasks[i].seed;
  return before != tasks[i];
}

Results results_of(const Input& input, const std::vector<SimulationTask>& tasks,
                   const SimulateOptions& options) {
  Results results;
  results.figures.resize(tasks.size());
  results.drawn.resize(tasks.size());
  const auto work = [&](std::size_t i) {
    const SimulationTask& task = tasks[i];
    auto run = clustersim::simulate(input.scenarios[task.scenario], task.scheduler, task.strategy,
                                    task.seed, input.config);
    results.figures[i] = clustersim::figures_of(run);
    if (!options.plot.empty() && is_first_seed(tasks, i)) results.drawn[i] = std::move(run);
  };
  Progress progress(tasks.size(), "runs", !options.no_progress);
  for_each_parallel(tasks.size(), options.jobs, work,
                    [&](std::size_t finished) { progress.reached(finished); });
  return results;
}

std::vector<clustersim::PlotGroup> plot_groups(const Input& input,
                                               const std::vector<SimulationTask>& tasks,
                                               Results& results) {
  std::vector<clustersim::PlotGroup> groups;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!is_first_seed(tasks, i)) continue;
    const Scenario& scenario = input.scenarios[tasks[i].scenario];
    const bool same = !groups.empty() && groups.back().scenario.name == scenario.name &&
                      groups.back().runs.front().scheduler == tasks[i].scheduler;
    if (!same) groups.push_back({scenario, {}});
    groups.back().runs.push_back(std::move(results.drawn[i]));
  }
  return groups;
}

}  // namespace

Printed run(const SimulateOptions& options) {
  const Input input = input_from(options);
  if (input.status != exit_status::ok) return {"", input.messages, input.status};
  const auto tasks = tasks_from(input.scenarios, options.choice);
  auto results = results_of(input, tasks, options);
  const auto summaries = summaries_from(input.scenarios, tasks, results.figures);
  Printed printed;
  printed.err = input.messages;
  printed.out = options.output == OutputFormat::json ? simulation_json(summaries)
                                                     : simulation_text(summaries, input.scenarios);
  if (options.plot.empty()) return printed;
  const auto svg = clustersim::svg_from_groups(plot_groups(input, tasks, results));
  const auto written = write_file({options.plot, 0644, true, ""}, svg);
  if (written) return printed;
  printed.err += "monitorctl: " + written.error() + "\n";
  printed.status = exit_status::failure;
  return printed;
}

}  // namespace lvs::monitorctl
