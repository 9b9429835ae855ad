// `events:` of a scenario file.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "clustersim/scenario_yaml_fields.hpp"
#include "clustersim/scenario_yaml_lists.hpp"
#include "strictyaml/duration.hpp"

namespace lvs::clustersim {

using strictyaml::Node;

namespace {

constexpr double fastest = 1000;
constexpr double busiest_neighbour = 0.99;      // nobody can be given all of a CPU
constexpr std::int64_t largest_weight = 65535;  // as in monitord.yaml

std::string seconds_text(double seconds) {
  return strictyaml::string_from_duration_ns(static_cast<std::int64_t>(seconds * 1e9));
}

std::optional<double> positive_number(const Node& node, double max) {
  double value = 0;
  set_positive_number(node, max, value);
  return value > 0 ? std::optional(value) : std::nullopt;
}

/// What may happen to a server. True when the node names any of it, readable or not.
bool set_server_changes(const Node& node, Event& event) {
  bool any = false;
  const auto child = [&](std::string_view key) {
    Node found = node[key];
    any = any || found.exists();
    return found;
  };
  event.background = child("background").as_number(0, busiest_neighbour);
  event.speed = positive_number(child("speed"), fastest);
  event.memory_used = child("memory_used").as_number(0, 1);
  if (const auto index = child("agent").as_one_of({"silent", "up"})) {
    event.agent_answers = *index == 1;
  }
  if (const auto weight = child("weight").as_integer(0, largest_weight)) {
    event.weight = static_cast<std::uint32_t>(*weight);
  }
  event.up = child("up").as_bool();
  return any;
}

/// What may happen to the load. True when the node names any of it, readable or not.
bool set_load_changes(const Node& node, Event& event) {
  const Node load = node["load"];
  const Node mean = node["request_mean"];
  event.load = load_from_node(load);
  double mean_s = 0;
  set_positive_seconds(mean, mean_s);
  if (mean_s > 0) event.request_mean_s = mean_s;
  return load.exists() || mean.exists();
}

void check_times(const Node& node, const Event& event, double duration_s) {
  const Node at = node["at"];
  const std::string end = "the run ends at " + seconds_text(duration_s);
  if (at.exists() && event.at_s >= duration_s) at.refuse_value("is beyond the duration", end);
  const Node over = node["over"];
  if (!over.exists()) return;
  const bool gradual = node["memory_used"].exists() || node["load"].exists();
  if (!gradual) {
    over.error(over.path() + " changes nothing: only memory_used and load move over a time",
               "write an event for every step of the others");
  } else if (event.at_s < duration_s && event.at_s + event.over_s > duration_s) {
    over.warn(over.path() + ": the change is not finished when the run ends", end);
  }
}

/// Server and change have to belong together.
void check_target(const Node& node, bool of_server, bool of_load) {
  const bool named = node["server"].exists();
  if (!of_server && !of_load) {
    node.error(node.path() + " changes nothing",
               "a server's background, speed, memory_used, agent, weight or up; without a server, "
               "load or request_mean");
  } else if (of_server && !named) {
    node.error(node.path() + ": which server?", "add server: 0");
  } else if (of_load && named) {
    node.error(node.path() + ": load and request_mean are those of the whole pool",
               of_server ? "write them as an event of their own" : "remove server");
  }
}

Event event_from_node(const Node& node, const Scenario& scenario) {
  Event event;
  set_seconds(node.required("at"), event.at_s);
  set_seconds(node["over"], event.over_s);
  event.server = server_index_from_node(node["server"], scenario.servers.size());
  const bool of_server = set_server_changes(node, event);
  const bool of_load = set_load_changes(node, event);
  node.reject_unknown_keys();
  if (!node.is_map()) return event;
  check_target(node, of_server, of_load);
  check_times(node, event, scenario.duration_s);
  return event;
}

}  // namespace

std::vector<Event> events_from_node(const Node& node, const Scenario& scenario) {
  std::vector<Event> events;
  for (const Node& item : node.items())
    events.push_back(event_from_node(item, scenario));
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& one, const Event& other) { return one.at_s < other.at_s; });
  return events;
}

}  // namespace lvs::clustersim
