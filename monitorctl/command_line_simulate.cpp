// Arguments of `monitorctl simulate`.

#include <algorithm>
#include <memory>

#include "cli/not_empty.hpp"
#include "clustersim/names.hpp"
#include "monitorctl/command_line_parts.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitorctl {
namespace {

using Words = std::vector<std::string>;

/// What is wrong with `written`; empty when all of it is known and nothing is there twice.
std::string wrong_word(const std::string& what, const Words& written, const Words& known) {
  for (auto place = written.begin(); place != written.end(); ++place) {
    const auto& word = *place;
    if (std::find(written.begin(), place, word) != place) {
      return what + " " + strictyaml::in_quotes(word) + " is named twice";
    }
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    return "unknown " + what + " " + strictyaml::in_quotes(word) + "; " +
           strictyaml::hint_from_words(word, known, "one of");
  }
  return "";
}

tl::expected<Command, std::string> simulate_command(SimulateOptions options, unsigned seeds) {
  const auto& choice = options.choice;
  auto problem = wrong_word("scheduler", choice.schedulers, clustersim::scheduler_names());
  if (problem.empty()) {
    problem = wrong_word("strategy", choice.strategies, clustersim::strategy_names());
  }
  if (!problem.empty()) return tl::unexpected(problem);
  if (seeds > 0) options.choice.seeds = seeds;
  return options;
}

struct SimulateArguments {
  SimulateOptions options{};
  unsigned seeds{};
};

}  // namespace

void add_simulate(CLI::App& root, Finishes& finishes) {
  auto& app =
      *root.add_subcommand("simulate", "What a strategy would do to a pool that you describe");
  auto arguments = std::make_shared<SimulateArguments>();
  auto& options = arguments->options;
  app.add_option("scenario", options.files, "The pool, its load and what happens to it")
      ->type_name("SCENARIO.yaml")
      ->check(cli::not_empty)
      ->required();
  add_output(app, options.output, {{"text", OutputFormat::text}, {"json", OutputFormat::json}});
  app.add_option("--plot", options.plot, "Draw weights and latency over time (SVG, first seed)")
      ->type_name("FILE.svg")
      ->check(cli::not_empty);
  app.add_option("--scheduler", options.choice.schedulers, "Instead of the scenario's")
      ->type_name("SCHEDULER,...")
      ->delimiter(',');
  app.add_option("--strategy", options.choice.strategies, "Instead of the scenario's")
      ->type_name("STRATEGY,...")
      ->delimiter(',');
  constexpr unsigned most_seeds = 1000;
  app.add_option("--seeds", arguments->seeds, "Seeds 1 to N instead of the scenario's")
      ->type_name("N")
      ->check(CLI::Range(1U, most_seeds).description(""));
  app.add_option("--config", options.config, "Coefficients of the strategies: a monitord.yaml")
      ->type_name("FILE")
      ->check(cli::not_empty);
  constexpr unsigned most_jobs = 1024;
  app.add_option("--jobs", options.jobs, "Runs at a time; default: one per CPU")
      ->type_name("N")
      ->check(CLI::Range(1U, most_jobs).description(""));
  app.add_flag("--no-progress", options.no_progress, "Not even where stderr is a terminal");
  app.footer(
      "Figures are medians over the seeds. Nothing is written to any kernel.\n"
      "Examples: monitorctl simulate pool.yaml --strategy capacity,equal --plot p.svg\n"
      "          monitorctl simulate pool.yaml --scheduler wrr,wlc,sed -o json\n");
  finishes[&app] = [arguments] { return simulate_command(arguments->options, arguments->seeds); };
}

}  // namespace lvs::monitorctl
