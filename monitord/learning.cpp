#include "monitord/learning.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "loadcalc/guards.hpp"
#include "loadcalc/saturation.hpp"
#include "loadcalc/strategy.hpp"
#include "monitord/guards.hpp"

namespace lvs::monitord {
namespace {

constexpr unsigned settling_cycles = 3;

const Reading* reading_of(const Readings& readings, const ipvs::IpAddress& address) {
  auto const found = readings.find(address);
  return found == readings.end() ? nullptr : &found->second;
}

/// The destinations with weight > 0 whose reading is fresh.
loadcalc::Pool answering(const ServiceSighting& sighting, const Observations& seen,
                         const Config& config) {
  loadcalc::Pool pool;
  for (auto const& destination : sighting.destinations) {
    auto const measures = usable_measures(
        reading_of(seen.readings, destination.kernel->key.address), seen.now, config);
    if (!measures || destination.kernel->weight == 0) continue;
    pool.members.emplace_back().measures = measures;
  }
  return pool;
}

/// Whether what completes here and the load of the servers belong together. On a standby they do
/// not, nor do they in the readings that reach back to when the address moved to this director or
/// away.
bool counts_its_load(const ServiceState& service) {
  return service.quiet_cycles == 0 &&
         service.cycles_since_standby.value_or(settling_cycles) >= settling_cycles;
}

bool pool_teaches(const ServiceState& service, const loadcalc::Pool& pool, const Config& config) {
  if (service.counters_frozen || !counts_its_load(service)) return false;
  auto const minimum = config.defaults.capacity.learning.minimum_cpu;
  return !pool.members.empty() && !loadcalc::is_idle(pool, minimum);
}

/// Completions of this cycle and whether they may be learned from, per real server.
struct Lesson {
  double completed{};
  bool teaches{};
  bool spoiled{};    ///< one of its pools has frozen counters
  bool quiet{true};  ///< none of its pools has seen anything
};

using Lessons = std::unordered_map<ipvs::IpAddress, Lesson, ipvs::IpAddress::Hash>;

void count_idle_cycles(ServiceState& service, const loadcalc::Pool& pool, const Policy& policy) {
  if (pool.members.empty()) return;
  bool const idle = loadcalc::is_idle(pool, policy.guards.idle_cpu);
  service.idle_cycles = idle ? service.idle_cycles + 1 : 0;
}

Lessons lessons_of(State& next, const std::map<ipvs::ServiceKey, ServiceSighting>& services,
                   const Observations& seen, const Config& config) {
  Lessons lessons;
  lessons.reserve(seen.readings.size());
  for (auto const& [key, sighting] : services) {
    auto& service = next.services.at(key);
    auto const pool = answering(sighting, seen, config);
    count_idle_cycles(service, pool, policy_of(config, key));
    bool const teaches = pool_teaches(service, pool, config);
    for (auto const& destination : sighting.destinations) {
      auto& lesson = lessons[destination.kernel->key.address];
      lesson.completed += destination.completed;
      lesson.teaches |= teaches;
      lesson.spoiled |= service.counters_frozen;
      lesson.quiet &= service.quiet_cycles > 0;
    }
  }
  return lessons;
}

void learn_server(ServerState& server, const Lesson& lesson, const Reading* reading,
                  const Observations& seen, const Config& config) {
  auto const& parameters = config.defaults.capacity;
  auto const measures = usable_measures(reading, seen.now, config);
  server.completed_pending += lesson.completed;
  ++server.cycles_pending;
  if (measures && reading->taken <= server.reading_taken) return;  // wait for its next reading
  if (measures) {
    loadcalc::ServerStep step;
    // A reading that spans several cycles is one mean C: so is the work.
    step.completed = server.completed_pending / server.cycles_pending;
    step.measures = *measures;
    step.composite = loadcalc::composite_load(*measures, parameters.shares);
    step.learn = lesson.teaches && !lesson.spoiled &&
                 !loadcalc::is_short_of_memory(*measures, config.defaults.relief.memory_reserve);
    server.model = loadcalc::learned(server.model, step, parameters.learning);
    server.reading_taken = reading->taken;
    if (step.learn) server.learned_at = seen.now;
  }
  if (lesson.quiet) return;  // the counters may just be late: the next cycle's are those of both
  server.completed_pending = 0;
  server.cycles_pending = 0;
}

/// Of the destinations that the last dump lacks and the one before had, sorted.
std::vector<ipvs::IpAddress> absent_addresses(const State& next) {
  std::vector<ipvs::IpAddress> addresses;
  for (auto const& [key, service] : next.services) {
    for (auto const& [destination, state] : service.destinations) {
      if (service.absences > 0 || state.absences > 0) addresses.push_back(destination.address);
    }
  }
  std::ranges::sort(addresses);
  return addresses;
}

}  // namespace

std::optional<loadcalc::Measures> usable_measures(const Reading* reading, Moment now,
                                                  const Config& config) {
  if (reading == nullptr || now - reading->taken > fresh_for(config)) return std::nullopt;
  if (!reading->cpu_busy || !reading->mem_available) return std::nullopt;
  return loadcalc::Measures{*reading->cpu_busy, *reading->mem_available};
}

void learn(State& next, const std::map<ipvs::ServiceKey, ServiceSighting>& services,
           const Observations& seen, const Config& config) {
  auto const lessons = lessons_of(next, services, seen, config);
  auto const absent = absent_addresses(next);
  std::erase_if(next.servers, [&](auto const& item) {
    return !lessons.contains(item.first) && !std::ranges::binary_search(absent, item.first);
  });
  for (auto const& [address, lesson] : lessons) {
    learn_server(next.servers[address], lesson, reading_of(seen.readings, address), seen, config);
  }
}

}  // namespace lvs::monitord
