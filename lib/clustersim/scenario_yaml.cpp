#include "clustersim/scenario_yaml.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "clustersim/scenario_yaml_fields.hpp"
#include "clustersim/scenario_yaml_lists.hpp"
#include "strictyaml/duration.hpp"

namespace lvs::clustersim {

using strictyaml::Document;
using strictyaml::Node;

namespace {

constexpr std::size_t longest_name = 60;

std::string end_text(const Scenario& scenario) {
  return "the run ends at " +
         strictyaml::string_from_duration_ns(static_cast<std::int64_t>(scenario.duration_s * 1e9));
}

/// "bench/scenarios/ramp.yaml" -> "ramp".
std::string name_from_file(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  for (const std::string_view ending : {".yaml", ".yml"}) {
    if (file.size() > ending.size() && file.ends_with(ending)) file.remove_suffix(ending.size());
  }
  return std::string{file};
}

void set_name(const Node& node, std::string& name) {
  const auto text = node.as_string();
  if (!text) return;
  if (text->empty() || text->size() > longest_name) {
    node.refuse_value("is no name", "a name has 1 to " + std::to_string(longest_name) + " bytes");
    return;
  }
  name = *text;
}

void set_load(const Node& root, Scenario& scenario) {
  const Node load = root["load"];
  const Node arrivals = root["arrivals"];
  scenario.load = load_from_node(load);
  scenario.arrivals_per_s = rate_from_node(arrivals);
  if (load.exists() && arrivals.exists()) {
    arrivals.error("load and arrivals say the same: keep one of them");
  } else if (root.is_map() && !load.exists() && !arrivals.exists()) {
    root.error("missing key \"load\" or \"arrivals\"",
               "load: 0.7 of the pool's capacity, or arrivals: 300/s");
  }
}

void set_burst(const Node& node, Burst& burst) {
  if (!node.exists()) return;
  set_share(node["amplitude"], burst.amplitude);
  set_positive_seconds(node["dwell"], burst.dwell_s);
  node.reject_unknown_keys();
}

void set_wave(const Node& node, Wave& wave) {
  if (!node.exists()) return;
  set_share(node["amplitude"], wave.amplitude);
  set_positive_seconds(node["period"], wave.period_s);
  node.reject_unknown_keys();
}

void set_keepalive(const Node& node, KeepAlive& keepalive) {
  if (!node.exists()) return;
  constexpr unsigned most_requests = 100'000;
  set_count(node["requests"], most_requests, keepalive.requests);
  set_seconds(node["think"], keepalive.think_s);
  if (keepalive.think_s > 0 && keepalive.requests == 1) {
    node["think"].warn(node["think"].path() + " is never used: a connection has one request",
                       "add requests: 10");
  }
  node.reject_unknown_keys();
}

void set_persistence(const Node& root, Scenario& scenario) {
  constexpr unsigned most_clients = 1'000'000;
  set_seconds(root["persistence"], scenario.persistence_s);
  const Node clients = root["clients"];
  set_count(clients, most_clients, scenario.clients);
  if (clients.exists() && scenario.persistence_s <= 0) {
    clients.warn("clients: without persistence nobody looks at them", "add persistence: 60s");
  }
}

void set_agents(const Node& node, AgentBehaviour& agents) {
  if (!node.exists()) return;
  set_seconds(node["lag"], agents.lag_s);
  set_share(node["loss"], agents.loss);
  agents.late_when_busy = node["late_when_busy"].as_bool().value_or(agents.late_when_busy);
  node.reject_unknown_keys();
}

std::optional<SecondService> second_service_from_node(const Node& node, const Scenario& scenario) {
  if (!node.exists()) return std::nullopt;
  SecondService second;
  second.request = scenario.request;
  const Node share = node.required("share");
  set_positive_number(share, 1, second.share);
  if (second.share >= 1) share.refuse_value("leaves nothing to the first service");
  set_scheduler(node["scheduler"], second.scheduler);
  set_request(node["request"], second.request);
  for (const Node& item : node["servers"].items()) {
    const auto index = server_index_from_node(item, scenario.servers.size());
    if (!index) continue;
    for (const std::size_t earlier : second.servers) {
      if (earlier == *index) item.refuse_value("is there twice");
    }
    second.servers.push_back(*index);
  }
  node.reject_unknown_keys();
  return second;
}

/// Where it does not say so, a tenth of the run is not counted, and a minute at most.
void set_warmup(const Node& node, Scenario& scenario) {
  scenario.warmup_s = std::min(scenario.warmup_s, scenario.duration_s / 10);
  set_seconds(node, scenario.warmup_s);
  if (scenario.warmup_s < scenario.duration_s) return;
  node.refuse_value("leaves nothing to count", end_text(scenario));
}

void set_interval(const Node& root, Scenario& scenario) {
  constexpr double shortest_s = 0.1;  // as in monitord.yaml
  const Node interval = root["interval"];
  set_positive_seconds(interval, scenario.interval_s);
  if (scenario.interval_s < shortest_s) {
    interval.refuse_value("is out of range", "it has to be 100ms at least");
  } else if (scenario.interval_s > scenario.duration_s) {
    (interval.exists() ? interval : root["duration"])
        .error("interval: not one cycle fits into the run", end_text(scenario));
  }
}

Scenario scenario_from_node(const Node& root, std::string name) {
  Scenario scenario;
  scenario.name = std::move(name);
  set_name(root["name"], scenario.name);
  set_scheduler(root["scheduler"], scenario.scheduler);
  set_positive_seconds(root["duration"], scenario.duration_s);
  set_warmup(root["warmup"], scenario);
  set_interval(root, scenario);
  set_seeds(root["seeds"], scenario.seeds);
  set_load(root, scenario);
  set_request(root["request"], scenario.request);
  scenario.classes = classes_from_node(root["classes"]);
  set_burst(root["burst"], scenario.burst);
  set_wave(root["wave"], scenario.wave);
  set_positive_seconds(root["patience"], scenario.patience_s);
  set_persistence(root, scenario);
  set_keepalive(root["keepalive"], scenario.keepalive);
  set_agents(root["agents"], scenario.agents);
  scenario.servers = servers_from_node(root.required("servers"));
  scenario.second_service = second_service_from_node(root["second_service"], scenario);
  scenario.events = events_from_node(root["events"], scenario);
  set_strategies(root["strategies"], scenario.strategies);
  root.reject_unknown_keys();
  return scenario;
}

}  // namespace

tl::expected<CheckedScenario, std::vector<strictyaml::Problem>> scenario_from_yaml(
    std::string text, const std::string& file) {
  const Document document{std::move(text), file};
  Scenario scenario = scenario_from_node(document.root(), name_from_file(file));
  if (document.has_errors()) return tl::make_unexpected(document.problems());
  return CheckedScenario{std::move(scenario), document.problems()};
}

}  // namespace lvs::clustersim
