#include "bench/traits.hpp"

#include <algorithm>

namespace lvs::bench {

using clustersim::Event;
using clustersim::Scenario;
using clustersim::Server;

namespace {

/// Less free memory than that makes load dearer for `capacity`.
constexpr double scarce_memory = 0.2;

bool changes_capacity(const Event& event) {
  return event.background || event.speed || event.memory_used || event.up;
}

template <typename Same>
bool all_alike(const Scenario& scenario, Same same) {
  return std::all_of(scenario.servers.begin(), scenario.servers.end(),
                     [&](const Server& server) { return same(server, scenario.servers.front()); });
}

bool is_low_traffic(const Scenario& scenario) {
  if (!scenario.arrivals_per_s) return false;
  const double connections = *scenario.arrivals_per_s / scenario.keepalive.requests;
  return connections * scenario.interval_s <= 1;
}

bool has_memory_pressure(const Scenario& scenario) {
  const bool from_the_start =
      std::any_of(scenario.servers.begin(), scenario.servers.end(),
                  [](const Server& server) { return 1 - server.memory_used < scarce_memory; });
  const bool later = std::any_of(
      scenario.events.begin(), scenario.events.end(),
      [](const Event& event) { return 1 - event.memory_used.value_or(0) < scarce_memory; });
  return from_the_start || later;
}

}  // namespace

Traits traits_from(const Scenario& scenario) {
  const auto& events = scenario.events;
  Traits traits;
  traits.duration_s = scenario.duration_s;
  traits.start_counts = scenario.warmup_s <= 0;
  traits.stationary = events.empty() && scenario.wave.amplitude <= 0 && !traits.start_counts;
  traits.disturbed = std::any_of(events.begin(), events.end(), changes_capacity);
  traits.unequal = !all_alike(scenario, [](const Server& one, const Server& other) {
    return one.speed == other.speed && one.cores == other.cores;
  });
  traits.equal_bases = all_alike(
      scenario, [](const Server& one, const Server& other) { return one.base == other.base; });
  traits.bursts = scenario.burst.amplitude > 0;
  traits.idle_connections = scenario.keepalive.requests > 1 && scenario.keepalive.think_s > 0;
  traits.neighbour = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return event.background.value_or(0) > 0;
  });
  traits.memory_pressure = has_memory_pressure(scenario);
  traits.persistent = scenario.persistence_s > 0;
  traits.low_traffic = is_low_traffic(scenario);
  return traits;
}

}  // namespace lvs::bench
