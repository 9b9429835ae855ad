#include "monitord/orders.hpp"

#include <chrono>
#include <cmath>

namespace lvs::monitord {

std::optional<Pause> pause_of(const Orders& orders, const ipvs::ServiceKey& service) {
  if (orders.everything) return orders.everything;
  auto const found = orders.pauses.find(service);
  return found == orders.pauses.end() ? std::nullopt : std::optional(found->second);
}

void set_pin_ends(Orders& orders, Moment now, double wall_time) {
  for (auto& [id, pin] : orders.pins) {
    if (!pin.until_wall || pin.until) continue;
    std::chrono::duration<double> const left(*pin.until_wall - wall_time);
    pin.until = now + std::chrono::duration_cast<Moment>(left);
  }
}

}  // namespace lvs::monitord
