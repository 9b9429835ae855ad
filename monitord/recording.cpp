// A cycle of the controller -> what there is to record of it.

#include "monitord/recording.hpp"

namespace lvs::monitord {
namespace {

Readings new_readings(const Readings& now, const Readings& before) {
  Readings fresh;
  for (const auto& [address, reading] : now) {
    const auto old = before.find(address);
    if (old == before.end() || old->second.taken != reading.taken) fresh.emplace(address, reading);
  }
  return fresh;
}

WeightsById written_weights(std::span<const Applied> applied) {
  WeightsById written;
  for (const auto& one : applied) {
    const bool done =
        one.result == Applied::Result::written || one.result == Applied::Result::overwritten;
    if (done) written[{one.service, one.change.destination}] = one.change.to;
  }
  return written;
}

/// Configured bases are the configuration's business: a replay has one of its own.
WeightsById observed_bases(const Observations& seen, const State& state) {
  WeightsById bases;
  for (const auto& entry : seen.table) {
    const auto service = state.services.find(entry.service.key);
    if (service == state.services.end()) continue;
    for (const auto& destination : entry.destinations) {
      const auto known = service->second.destinations.find(destination.key);
      if (known == service->second.destinations.end() || known->second.base_configured) continue;
      const auto base = known->second.base;
      if (base != 0 && base != destination.weight) {
        bases[{entry.service.key, destination.key}] = base;
      }
    }
  }
  return bases;
}

}  // namespace

RecordedCycle recorded_cycle(const Observations& seen, const State& state,
                             std::span<const Applied> applied, const Readings& before) {
  RecordedCycle cycle;
  cycle.seen.now = seen.now;
  cycle.seen.table = seen.table;
  cycle.seen.readings = new_readings(seen.readings, before);
  cycle.seen.responses = seen.responses;
  cycle.written = written_weights(applied);
  cycle.bases = observed_bases(seen, state);
  return cycle;
}

}  // namespace lvs::monitord
