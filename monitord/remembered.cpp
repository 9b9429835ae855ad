#include "monitord/remembered.hpp"

namespace lvs::monitord {

Remembered remembered_from_state(const State& state) {
  Remembered remembered;
  for (const auto& [service, known_service] : state.services) {
    for (const auto& [destination, known] : known_service.destinations) {
      remembered.emplace(DestinationId{service, destination},
                         RememberedDestination{.base = known.base,
                                               .base_configured = known.base_configured,
                                               .weight = known.last_weight,
                                               .intended = known.intended});
    }
  }
  return remembered;
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
      state.services[entry.service.key].destinations.try_emplace(seen.key, restored);
    }
  }
}

}  // namespace lvs::monitord
