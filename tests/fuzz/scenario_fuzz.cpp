// Any bytes as a scenario file: a scenario or problems, never a crash, and what is accepted is
// within the bounds that the simulator relies on.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "clustersim/scenario_yaml.hpp"
#include "require.hpp"
#include "strictyaml/document.hpp"

namespace {

using lvs::clustersim::Event;
using lvs::clustersim::Scenario;
using lvs::fuzz::require;

bool is_positive(double number) {
  return std::isfinite(number) && number > 0;
}

void check_event(const Event& event, const Scenario& scenario) {
  require(event.at_s >= 0 && event.at_s < scenario.duration_s);
  require(!event.server || *event.server < scenario.servers.size());
  const bool of_load = event.load.has_value() || event.request_mean_s.has_value();
  require(event.server.has_value() != of_load);
  require(!event.load || is_positive(*event.load));
  require(!event.speed || is_positive(*event.speed));
  require(!event.background || (*event.background >= 0 && *event.background < 1));
}

void check(const Scenario& scenario) {
  require(!scenario.name.empty() && !scenario.servers.empty());
  require(!scenario.seeds.empty() && !scenario.strategies.empty());
  require(scenario.load.has_value() != scenario.arrivals_per_s.has_value());
  require(is_positive(scenario.load ? *scenario.load : *scenario.arrivals_per_s));
  require(scenario.warmup_s < scenario.duration_s && scenario.interval_s <= scenario.duration_s);
  for (const auto& server : scenario.servers) {
    require(is_positive(server.speed) && server.cores > 0 && server.base > 0);
  }
  double before = 0;
  for (const Event& event : scenario.events) {
    check_event(event, scenario);
    require(event.at_s >= before);
    before = event.at_s;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{data, data + size};
  const auto checked = lvs::clustersim::scenario_from_yaml(text, "fuzz.yaml");
  if (checked) check(checked->scenario);
  string_from_problems(checked ? checked->warnings : checked.error());
  return 0;
}
