#include "monitord/tracking.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <utility>

namespace lvs::monitord {
namespace {

constexpr unsigned absences_to_forget = 2;
// The counters are renewed every 2 s: a cycle may see none and the next one twice as many.
constexpr double newest_arrivals_share = 0.4;
constexpr unsigned unexplained_cycles_frozen = 3;
constexpr unsigned quiet_cycles_standby = 3;
constexpr std::chrono::seconds still_for_frozen{5};  ///< two and a half renewals of the counters
constexpr std::chrono::seconds still_for_standby{5};

std::optional<std::uint32_t> configured_base(const Config& config, const ServiceConfig* service,
                                             const ipvs::DestinationKey& key) {
  if (service != nullptr) {
    auto const found = service->bases.find(key);
    if (found != service->bases.end()) return found->second;
  }
  auto const server = config.servers.find(key.address);
  if (server != config.servers.end()) return server->second.base;
  return std::nullopt;
}

bool is_foreign(const DestinationState& before, std::uint32_t weight) {
  return weight != before.last_weight && weight != before.intended;
}

std::uint64_t difference(std::uint64_t before, std::uint64_t after) {
  return after >= before ? after - before : after;  // a smaller total was reset: count from 0
}

DestinationState first_sight(const ipvs::Destination& destination, Moment now) {
  DestinationState fresh;
  fresh.base = destination.weight;
  fresh.last_weight = destination.weight;
  fresh.connections = destination.statistics.connections;
  fresh.in_packets = destination.statistics.in_packets;
  fresh.active = destination.active_connections;
  fresh.inactive = destination.inactive_connections;
  fresh.active_when_fresh = destination.active_connections;
  fresh.first_seen = now;
  return fresh;
}

/// New in a pool that this process has seen before, or back from weight 0.
bool is_admitted(const Sighting& sighting, bool pool_is_known) {
  if (sighting.kernel->weight == 0) return false;
  return sighting.back || (sighting.first && pool_is_known);
}

/// `foreign: reassert`: the weight that was ours stays the wanted one until it is back, or the
/// destination was at 0 in between.
std::optional<std::uint32_t> to_reassert(const Sighting& sighting, ForeignPolicy policy) {
  auto const weight = sighting.kernel->weight;
  if (policy != ForeignPolicy::reassert || weight == 0) return std::nullopt;
  auto const& before = sighting.before;
  auto wanted = before.reassert;
  if (!wanted && sighting.foreign && before.last_weight != 0) wanted = before.last_weight;
  return wanted == weight ? std::nullopt : wanted;
}

DestinationState after_sight(const Sighting& sighting, std::optional<std::uint32_t> configured,
                             ForeignPolicy policy) {
  auto next = sighting.before;
  auto const weight = sighting.kernel->weight;
  next.reassert = to_reassert(sighting, policy);
  next.base_configured = configured.has_value();
  if (configured) {
    next.base = *configured;
  } else if (weight != 0 && !next.reassert && (sighting.foreign || next.base == 0)) {
    next.base = weight;
  }
  bool const was_automatic = next.own_zero && *next.own_zero != ZeroCause::hand;
  if (sighting.foreign && weight != 0 && was_automatic) next.zero_overridden = true;
  if (weight != 0 || sighting.foreign) next.own_zero.reset();
  next.last_weight = weight;
  next.intended.reset();
  next.connections = sighting.kernel->statistics.connections;
  next.in_packets = sighting.kernel->statistics.in_packets;
  next.active = sighting.kernel->active_connections;
  next.inactive = sighting.kernel->inactive_connections;
  next.absences = 0;
  return next;
}

/// A destination of the state file was not yet seen by this process: it has no first_seen, and its
/// counters were not kept.
bool only_remembered(const DestinationState& state) {
  return state.first_seen == Moment{};
}

Sighting sighted(const ipvs::Destination& destination, const ServiceState& service, Moment now) {
  Sighting sighting;
  sighting.kernel = &destination;
  auto const known = service.destinations.find(destination.key);
  sighting.before = first_sight(destination, now);
  if (known == service.destinations.end()) {
    sighting.first = true;
    return sighting;
  }
  if (only_remembered(known->second)) {
    sighting.first = true;
    sighting.before.base = known->second.base;
    sighting.before.last_weight = known->second.last_weight;
    sighting.before.intended = known->second.intended;
    sighting.before.own_zero = known->second.own_zero;
    sighting.before.zero_overridden = known->second.zero_overridden;
    sighting.foreign = is_foreign(known->second, destination.weight);
    return sighting;
  }
  sighting.before = known->second;
  sighting.back = sighting.before.last_weight == 0 && destination.weight != 0;
  sighting.foreign = is_foreign(sighting.before, destination.weight);
  sighting.new_connections =
      difference(sighting.before.connections, destination.statistics.connections);
  sighting.carries = destination.statistics.in_packets != sighting.before.in_packets;
  sighting.completed = static_cast<double>(sighting.new_connections) -
                       (static_cast<double>(destination.active_connections) -
                        static_cast<double>(sighting.before.active));
  return sighting;
}

using Destinations = std::map<ipvs::DestinationKey, DestinationState>;

/// A destination that the dump lacks is kept for one more dump, since a dump is not a snapshot.
Destinations::iterator past_absent(Destinations& destinations, Destinations::iterator place) {
  if (++place->second.absences < absences_to_forget) return std::next(place);
  return destinations.erase(place);
}

/// In step with what is known, which is mostly the same: `after` gives a sighting's new state.
template <typename After>
void take_sights(const std::vector<Sighting>& sightings, Destinations& known, After after) {
  auto place = known.begin();
  for (auto const& sighting : sightings) {
    auto const& key = sighting.kernel->key;
    if (place != known.begin() && std::prev(place)->first == key) continue;  // said twice
    while (place != known.end() && place->first < key)
      place = past_absent(known, place);
    if (place == known.end() || place->first != key)
      place = known.emplace_hint(place, key, DestinationState{});
    place->second = after(sighting);
    ++place;
  }
  while (place != known.end())
    place = past_absent(known, place);
}

/// Connections that are there and were not before. Short ones are seen as inactive only, and one
/// that becomes inactive is no new one.
bool has_opened(const Sighting& destination) {
  auto const open = [](std::uint64_t active, std::uint64_t inactive) { return active + inactive; };
  return open(destination.kernel->active_connections, destination.kernel->inactive_connections) >
         open(destination.before.active, destination.before.inactive);
}

/// The numbers of connections are live in every dump, the counters are renewed every 2 s
/// (ip_vs_est.c); so what opened and is not counted means nothing until they had time to be.
void find_frozen_counters(bool opened, std::uint64_t started, Moment now, ServiceState& next) {
  if (started > 0 || !next.counters_moved) next.counters_moved = now;
  next.unexplained_cycles = started == 0 ? next.unexplained_cycles + (opened ? 1 : 0) : 0;
  next.counters_frozen = next.unexplained_cycles >= unexplained_cycles_frozen &&
                         now - *next.counters_moved >= still_for_frozen;
}

/// Open connections are no sign of life: those that a director lost with its address stay in its
/// table for 15 minutes. Packets are, and new connections where the counters may stand still. Where
/// they run, connections that nobody counted came with a sync daemon: ip_vs_bind_dest() adds them
/// to the destination's active ones, and only ip_vs_conn_stats() of whoever scheduled them counts
/// them.
void count_quiet(const ServiceSighting& sighting, const Observations& seen, ServiceState& next) {
  auto const now = seen.now;
  std::uint64_t started = 0;
  bool carries = false;
  bool opened = false;
  for (auto const& destination : sighting.destinations) {
    started += destination.new_connections;
    carries |= destination.carries;
    opened |= !seen.counters_run && has_opened(destination);
  }
  auto const arrived = static_cast<double>(started);
  next.arrivals = next.arrivals > 0
                      ? next.arrivals + newest_arrivals_share * (arrived - next.arrivals)
                      : arrived;
  find_frozen_counters(opened, started, now, next);
  bool const quiet = started == 0 && !carries && !opened;
  if (!quiet || !next.carried) next.carried = now;
  next.quiet_cycles = quiet ? next.quiet_cycles + 1 : 0;
  next.standby =
      next.quiet_cycles >= quiet_cycles_standby && now - *next.carried >= still_for_standby;
  if (next.standby) {
    next.cycles_since_standby = 0;
  } else if (next.cycles_since_standby) {
    ++*next.cycles_since_standby;
  }
}

ServiceSighting sighted_service(const ipvs::ServiceEntry& entry, const ServiceState& before,
                                Moment now) {
  ServiceSighting sighting;
  sighting.service = &entry.service;
  for (auto const& destination : entry.destinations) {
    sighting.destinations.push_back(sighted(destination, before, now));
  }
  std::ranges::sort(sighting.destinations, {}, [](const Sighting& s) { return s.kernel->key; });
  return sighting;
}

}  // namespace

namespace {

const ServiceConfig* pool_config(const Config& config, const ipvs::ServiceKey& key) {
  auto const found =
      std::ranges::find(config.pools, key, [](const PoolConfig& pool) { return pool.service.key; });
  return found == config.pools.end() ? nullptr : &found->service;
}

}  // namespace

const ServiceConfig* service_config(const Config& config, const ipvs::ServiceKey& key) {
  if (key.is_pool()) return pool_config(config, key);
  if (!config.services) return nullptr;
  auto const found = std::ranges::find(*config.services, key, &ServiceConfig::key);
  return found == config.services->end() ? nullptr : &*found;
}

bool is_managed(const Config& config, const ipvs::ServiceKey& key) {
  bool const is_listed = service_config(config, key) != nullptr;
  return is_listed || (!key.is_pool() && !config.services);
}

std::size_t foreign_edits(const Tracking& tracking, const Config& config) {
  std::ptrdiff_t edits = 0;
  for (auto const& [key, service] : tracking.services) {
    if (is_managed(config, key)) {
      edits += std::ranges::count(service.destinations, true, &Sighting::foreign);
    }
  }
  return static_cast<std::size_t>(edits);
}

const Policy& policy_of(const Config& config, const ipvs::ServiceKey& key) {
  auto const* const listed = service_config(config, key);
  return listed == nullptr ? config.defaults : listed->policy;
}

Tracking tracked(State state, const Observations& seen, const Config& config) {
  Tracking result;
  result.next = std::move(state);
  ++result.next.cycle;
  for (auto const& entry : seen.table) {
    auto const& key = entry.service.key;
    // A service that is added while the table is dumped may push another one into it twice.
    if (result.services.contains(key)) continue;
    auto& service = result.next.services[key];
    auto sighting = sighted_service(entry, service, seen.now);
    auto const* const listed = service_config(config, key);
    auto const foreign =
        is_managed(config, key) ? policy_of(config, key).foreign : ForeignPolicy::adopt;
    bool const pool_is_known = std::ranges::any_of(
        service.destinations, [](auto const& item) { return !only_remembered(item.second); });
    take_sights(sighting.destinations, service.destinations, [&](const Sighting& destination) {
      auto const base = configured_base(config, listed, destination.kernel->key);
      auto after = after_sight(destination, base, foreign);
      if (is_admitted(destination, pool_is_known)) after.admitted = seen.now;
      return after;
    });
    service.absences = 0;
    count_quiet(sighting, seen, service);
    result.services.emplace(key, std::move(sighting));
  }
  for (auto place = result.next.services.begin(); place != result.next.services.end();) {
    bool const is_absent = !result.services.contains(place->first);
    bool const is_gone = is_absent && ++place->second.absences >= absences_to_forget;
    place = is_gone ? result.next.services.erase(place) : std::next(place);
  }
  return result;
}

}  // namespace lvs::monitord
