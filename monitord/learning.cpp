#include "monitord/learning.hpp"

#include <set>

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

std::map<ipvs::IpAddress, Lesson> lessons_of(
    const State& next, const std::map<ipvs::ServiceKey, ServiceSighting>& services,
    const Observations& seen, const Config& config) {
  std::map<ipvs::IpAddress, Lesson> lessons;
  for (auto const& [key, sighting] : services) {
    auto const& service = next.services.at(key);
    bool const teaches = pool_teaches(service, answering(sighting, seen, config), config);
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

}  // namespace

void count_idle_cycles(State& next, const std::map<ipvs::ServiceKey, ServiceSighting>& services,
                       const Observations& seen, const Config& config) {
  for (auto const& [key, sighting] : services) {
    auto const pool = answering(sighting, seen, config);
    if (pool.members.empty()) continue;
    auto& idle_cycles = next.services.at(key).idle_cycles;
    bool const idle = loadcalc::is_idle(pool, policy_of(config, key).guards.idle_cpu);
    idle_cycles = idle ? idle_cycles + 1 : 0;
  }
}

std::optional<loadcalc::Measures> usable_measures(const Reading* reading, Moment now,
                                                  const Config& config) {
  if (reading == nullptr || now - reading->taken > fresh_for(config)) return std::nullopt;
  if (!reading->cpu_busy || !reading->mem_available) return std::nullopt;
  return loadcalc::Measures{*reading->cpu_busy, *reading->mem_available};
}

void learn(State& next, const std::map<ipvs::ServiceKey, ServiceSighting>& services,
           const Observations& seen, const Config& config) {
  std::set<ipvs::IpAddress> remembered;
  for (auto const& [key, service] : next.services) {
    for (auto const& [destination, state] : service.destinations) {
      remembered.insert(destination.address);
    }
  }
  std::erase_if(next.servers, [&](auto const& item) { return !remembered.contains(item.first); });
  for (auto const& [address, lesson] : lessons_of(next, services, seen, config)) {
    learn_server(next.servers[address], lesson, reading_of(seen.readings, address), seen, config);
  }
}

}  // namespace lvs::monitord
