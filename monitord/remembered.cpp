#include "monitord/remembered.hpp"

#include <chrono>
#include <cmath>

namespace lvs::monitord {

Remembered remembered_from_state(const State& state) {
  Remembered remembered;
  for (const auto& [service, known_service] : state.services) {
    for (const auto& [destination, known] : known_service.destinations) {
      remembered.emplace_hint(remembered.end(), DestinationId{service, destination},
                              RememberedDestination{.base = known.base,
                                                    .base_configured = known.base_configured,
                                                    .weight = known.last_weight,
                                                    .intended = known.intended,
                                                    .own_zero = known.own_zero,
                                                    .overridden = known.zero_overridden});
    }
  }
  return remembered;
}

Learned learned_from_state(const State& state, Moment now, double wall_time) {
  Learned learned;
  for (const auto& [address, server] : state.servers) {
    if (!server.learned_at) continue;
    const std::chrono::duration<double> age = now - *server.learned_at;
    learned.servers.emplace(address, LearnedServer{server.model, wall_time - age.count()});
  }
  for (const auto& [key, service] : state.services) {
    if (service.ratio_exponent > 0) learned.ratio_exponents.emplace(key, service.ratio_exponent);
  }
  return learned;
}

void restore_seen(State& state, Remembered& remembered, std::span<const ipvs::ServiceEntry> table) {
  if (remembered.empty()) return;
  for (const auto& entry : table) {
    for (const auto& seen : entry.destinations) {
      auto taken = remembered.extract(DestinationId{entry.service.key, seen.key});
      if (taken.empty()) continue;
      const auto& known = taken.mapped();
      DestinationState restored;
      restored.base = known.base;
      restored.base_configured = known.base_configured;
      restored.last_weight = known.weight;
      restored.intended = known.intended;
      restored.own_zero = known.own_zero;
      restored.zero_overridden = known.overridden;
      state.services[entry.service.key].destinations.try_emplace(seen.key, restored);
    }
  }
}

namespace {

/// A clock that was set back makes lessons of the future: as good as those of the past.
bool is_fresh(double at, double wall_time) {
  return std::abs(wall_time - at) <= learned_for_s;
}

bool take_server(ServerState& server, const LearnedServer& learned, Moment now, double wall_time) {
  bool const forgotten = learned.model == loadcalc::ServerModel{};
  if (forgotten || !is_fresh(learned.at, wall_time)) return false;
  const std::chrono::duration<double> age(std::max(0.0, wall_time - learned.at));
  const auto at = now - std::chrono::duration_cast<Moment>(age);
  if (server.learned_at && *server.learned_at >= at) return false;
  server.model = learned.model;
  server.learned_at = at;
  return true;
}

}  // namespace

std::size_t take_learned(State& state, Learned& learned, std::span<const ipvs::ServiceEntry> table,
                         Moment now, double wall_time) {
  std::size_t taken = 0;
  for (const auto& entry : table) {
    if (learned.servers.empty() && learned.ratio_exponents.empty()) break;
    const auto exponent = learned.ratio_exponents.extract(entry.service.key);
    auto& service = state.services[entry.service.key];
    const auto taken_before = taken;
    for (const auto& destination : entry.destinations) {
      const auto found = learned.servers.extract(destination.key.address);
      if (found.empty()) continue;
      auto& server = state.servers[destination.key.address];
      taken += take_server(server, found.mapped(), now, wall_time) ? 1U : 0U;
    }
    // It was learned with them: the younger lessons bring theirs along.
    if (!exponent.empty() && (service.ratio_exponent == 0 || taken > taken_before)) {
      service.ratio_exponent = exponent.mapped();
    }
  }
  return taken;
}

void forget_zeros_of_absent(Remembered& remembered) {
  for (auto& [id, known] : remembered) {
    known.own_zero.reset();
    known.intended.reset();
  }
}

void forget_other_boot(Memory& memory, const std::string& boot) {
  const bool known = !memory.boot.empty() && !boot.empty();
  if (known && memory.boot != boot) memory.destinations.clear();
  memory.boot = boot;
}

}  // namespace lvs::monitord
