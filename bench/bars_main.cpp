// bars [--json] [--strict] RESULTS.json SCENARIO.yaml... - tables and bars from what
// `monitorctl simulate -o json SCENARIO.yaml...` printed. With --json the bars alone, as JSON; with
// --strict the exit status is 1 when a bar is missed.

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
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

struct Arguments {
  bool json{}, strict{};
  std::vector<std::string> files{};
};

Arguments arguments_from(const std::vector<std::string>& words) {
  Arguments arguments;
  for (const auto& word : words) {
    if (word == "--json") {
      arguments.json = true;
    } else if (word == "--strict") {
      arguments.strict = true;
    } else {
      arguments.files.push_back(word);
    }
  }
  return arguments;
}

Printed failed(int status, const std::string& message) {
  return {"", "bars: " + message + "\n", status};
}

Printed outcome_of(const Arguments& arguments) {
  if (arguments.files.size() < 2) {
    return failed(exit_status::usage,
                  "usage: bars [--json] [--strict] RESULTS.json SCENARIO.yaml...");
  }
  const auto text = lvs::monitorctl::text_from_file(arguments.files.front());
  if (!text) return failed(exit_status::failure, text.error());
  const auto results = bench::summaries_from_json(*text);
  if (!results)
    return failed(exit_status::bad_file, arguments.files.front() + ": " + results.error());
  std::vector<clustersim::Scenario> scenarios;
  bench::ScenarioTraits traits;
  for (std::size_t i = 1; i < arguments.files.size(); ++i) {
    auto yaml = lvs::monitorctl::text_from_file(arguments.files[i]);
    if (!yaml) return failed(exit_status::failure, yaml.error());
    auto checked = clustersim::scenario_from_yaml(std::move(*yaml), arguments.files[i]);
    if (!checked) {
      return {"", lvs::strictyaml::string_from_problems(checked.error()), exit_status::bad_file};
    }
    traits[checked->scenario.name] = bench::traits_from(checked->scenario);
    scenarios.push_back(std::move(checked->scenario));
  }
  const auto checks = bench::checks_from(*results, traits);
  Printed printed;
  printed.out = arguments.json ? bench::bars_json(checks)
                               : lvs::monitorctl::simulation_text(*results, scenarios) + "\n" +
                                     bench::bars_text(checks);
  for (const auto& check : checks) {
    if (arguments.strict && !bench::is_reached(check)) printed.status = exit_status::failure;
  }
  return printed;
}

}  // namespace

int main(int count, char** values) {
  try {
    const auto printed = outcome_of(arguments_from({values + 1, values + count}));
    std::fputs(printed.err.c_str(), stderr);
    const bool written = std::fputs(printed.out.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    return written ? printed.status : exit_status::failure;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bars: %s\n", error.what());
    return exit_status::failure;
  }
}
