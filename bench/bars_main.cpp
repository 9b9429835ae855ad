// Tables and bars from what `monitorctl simulate -o json SCENARIO.yaml...` printed.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "bench/bars.hpp"
#include "bench/bars_report.hpp"
#include "bench/results_json.hpp"
#include "bench/traits.hpp"
#include "clustersim/scenario_yaml.hpp"
#include "monitorctl/file_input.hpp"
#include "monitorctl/printed.hpp"
#include "monitorctl/simulation_report.hpp"

namespace {

namespace bench = lvs::bench;
namespace clustersim = lvs::clustersim;
namespace exit_status = lvs::monitorctl::exit_status;
using lvs::monitorctl::Printed;

struct Options {
  std::string results{};
  std::vector<std::string> scenarios{};
  bool json{};
  std::size_t at_least{};  ///< bars have to be reached
};

Printed failed(int status, const std::string& message) {
  return {"", "bars: " + message + "\n", status};
}

Printed outcome_of(const Options& options) {
  const auto text = lvs::monitorctl::text_from_file(options.results);
  if (!text) return failed(exit_status::failure, text.error());
  const auto results = bench::summaries_from_json(*text);
  if (!results) return failed(exit_status::bad_file, options.results + ": " + results.error());
  std::vector<clustersim::Scenario> scenarios;
  bench::ScenarioTraits traits;
  for (const auto& path : options.scenarios) {
    auto yaml = lvs::monitorctl::text_from_file(path);
    if (!yaml) return failed(exit_status::failure, yaml.error());
    auto checked = clustersim::scenario_from_yaml(std::move(*yaml), path);
    if (!checked) {
      return {"", lvs::strictyaml::string_from_problems(checked.error()), exit_status::bad_file};
    }
    traits[checked->scenario.name] = bench::traits_from(checked->scenario);
    scenarios.push_back(std::move(checked->scenario));
  }
  const auto checks = bench::checks_from(*results, traits);
  const auto reached = std::count_if(checks.begin(), checks.end(), bench::is_reached);
  Printed printed;
  printed.out = options.json ? bench::bars_json(checks)
                             : lvs::monitorctl::simulation_text(*results, scenarios) + "\n" +
                                   bench::bars_text(checks);
  if (static_cast<std::size_t>(reached) < options.at_least) {
    printed.err = "bars: fewer than " + std::to_string(options.at_least) + " are reached\n";
    printed.status = exit_status::failure;
  }
  return printed;
}

int run(int count, char** values) {
  CLI::App app{"Which bars strategy capacity reaches, from results of monitorctl simulate", "bars"};
  Options options;
  app.add_option("results", options.results, "What monitorctl simulate -o json printed")
      ->type_name("RESULTS.json")
      ->required();
  app.add_option("scenarios", options.scenarios, "The scenarios that were run")
      ->type_name("SCENARIO.yaml")
      ->required();
  app.add_flag("--json", options.json, "The bars alone, as JSON");
  app.add_option("--at-least", options.at_least, "End with 1 when fewer bars are reached")
      ->type_name("N");
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_status::ok : exit_status::usage;
  }
  const auto printed = outcome_of(options);
  std::fputs(printed.err.c_str(), stderr);
  const bool written = std::fputs(printed.out.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? printed.status : exit_status::failure;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run(count, values);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bars: %s\n", error.what());
    return exit_status::failure;
  }
}
