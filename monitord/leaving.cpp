#include "monitord/leaving.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "loadcalc/scheduler.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {
namespace {

/// What a person ordered stands: a drain, and a pause over everything but an undrain.
bool is_to_end(ZeroCause cause, const DestinationId& id, const Orders& orders) {
  if (orders.drains.contains(id)) return false;
  return cause == ZeroCause::hand || pause_of(orders, id.service) != Pause::paused;
}

std::optional<WeightChange> last_change(const ipvs::Destination& seen,
                                        const DestinationState& known, bool restores,
                                        const ipvs::ServiceKey& service, const Orders& orders) {
  if (known.base == 0 || seen.weight == known.base) return std::nullopt;
  if (seen.weight == 0) {
    bool const ends =
        known.own_zero && is_to_end(*known.own_zero, DestinationId{service, seen.key}, orders);
    if (!ends) return std::nullopt;
    return WeightChange{seen.key, 0, known.base, "monitord ends: its own 0 is undone", {}};
  }
  if (!restores || seen.weight != known.last_weight) return std::nullopt;
  return WeightChange{seen.key, seen.weight, known.base, "monitord ends: on_exit: restore", {}};
}

}  // namespace

Plan leaving_plan(const State& state, std::span<const ipvs::ServiceEntry> table,
                  const Config& config) {
  Plan plan;
  for (auto const& entry : table) {
    auto const& key = entry.service.key;
    auto const known = state.services.find(key);
    if (known == state.services.end()) continue;
    // Zeros end wherever they are: the service may have been let go a moment ago.
    bool const steered = is_managed(config, key) && loadcalc::uses_weights(entry.service.scheduler);
    bool const restores =
        config.on_exit == ExitPolicy::restore && steered && !pause_of(state.orders, key);
    ServicePlan service{key, {}};
    for (auto const& seen : entry.destinations) {
      auto const found = known->second.destinations.find(seen.key);
      if (found == known->second.destinations.end()) continue;
      if (seen.weight > 0 && state.orders.pins.contains({key, seen.key})) continue;  // it stands
      auto change = last_change(seen, found->second, restores, key, state.orders);
      if (change) service.changes.push_back(*std::move(change));
    }
    if (!service.changes.empty()) plan.push_back(std::move(service));
  }
  return plan;
}

}  // namespace lvs::monitord
