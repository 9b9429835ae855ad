#include "monitord/leaving.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "loadcalc/scheduler.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {
namespace {

bool is_automatic(const DestinationState& known) {
  return known.own_zero && *known.own_zero != ZeroCause::hand;
}

std::optional<WeightChange> last_change(const ipvs::Destination& seen,
                                        const DestinationState& known, bool restores) {
  if (known.base == 0 || seen.weight == known.base) return std::nullopt;
  if (seen.weight == 0) {
    if (!is_automatic(known)) return std::nullopt;
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
    bool const steered = is_managed(config, key) && loadcalc::uses_weights(entry.service.scheduler);
    if (known == state.services.end() || !steered || pause_of(state.orders, key)) continue;
    ServicePlan service{key, {}};
    for (auto const& seen : entry.destinations) {
      auto const found = known->second.destinations.find(seen.key);
      if (found == known->second.destinations.end()) continue;
      if (seen.weight > 0 && state.orders.pins.contains({key, seen.key})) continue;  // it stands
      auto change = last_change(seen, found->second, config.on_exit == ExitPolicy::restore);
      if (change) service.changes.push_back(*std::move(change));
    }
    if (!service.changes.empty()) plan.push_back(std::move(service));
  }
  return plan;
}

}  // namespace lvs::monitord
