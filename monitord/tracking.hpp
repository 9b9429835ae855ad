#pragma once

// From a table as dumped to what happened to each destination since the last cycle.

#include <cstddef>
#include <map>
#include <vector>

#include "monitord/config.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

/// One destination of this cycle's dump beside what was remembered of it.
struct Sighting {
  const ipvs::Destination* kernel{};  ///< of Observations::table
  DestinationState before{};          ///< as remembered; equals the kernel at first sight
  std::uint64_t new_connections{};    ///< N: 0 at first sight; a decrease is a reset
  bool carries{};                     ///< packets came for it since the last cycle
  double completed{};                 ///< N - change of active connections; may be negative
  bool foreign{};  ///< somebody else changed the weight since the last cycle; 0 counts as well
  bool back{};     ///< this process saw it at 0, and now it is not
  bool first{};    ///< this process did not see it in the last dump
};

/// A service of this cycle's dump, its destinations ordered by key.
struct ServiceSighting {
  const ipvs::Service* service{};
  std::vector<Sighting> destinations{};
};

struct Tracking {
  State next{};  ///< state with this cycle's weights, counters, bases and absences
  std::map<ipvs::ServiceKey, ServiceSighting> services{};
};

/// Bases follow law 7: configured ones never change; an observed one is the kernel weight at first
/// sight (never 0) and becomes the value that a foreign writer sets. What is missing from two
/// dumps in a row is forgotten. `seen` must outlive the result.
Tracking tracked(State state, const Observations& seen, const Config& config);

/// Without a list every service is managed, with one those that are in it; a pool while it is
/// declared.
bool is_managed(const Config& config, const ipvs::ServiceKey& key);

/// What others did in this cycle to weights that are ours to manage: each edit once, drains and
/// their ends among them.
std::size_t foreign_edits(const Tracking& tracking, const Config& config);
/// How the service is steered: its entry's policy, or the defaults.
const Policy& policy_of(const Config& config, const ipvs::ServiceKey& key);

/// The entry of the services list or of the pools, or nullptr.
const ServiceConfig* service_config(const Config& config, const ipvs::ServiceKey& key);

}  // namespace lvs::monitord
