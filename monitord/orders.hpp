#pragma once

// What people ordered by hand with monitorctl. Orders stand until they are taken back, over
// restarts too, and come before everything that monitord would do by itself.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "ipvs/types.hpp"
#include "monitord/reading.hpp"

namespace lvs::monitord {

struct DestinationId {
  ipvs::ServiceKey service{};
  ipvs::DestinationKey destination{};

  friend auto operator<=>(const DestinationId&, const DestinationId&) = default;
};

enum class Pause {
  paused,     ///< nothing is written
  restoring,  ///< the bases are being put back, then paused
};

/// A weight that stays as it is told.
struct Pin {
  std::uint32_t weight{};
  std::optional<double> until_wall{};  ///< seconds since the epoch, as it is written down
  std::optional<Moment> until{};       ///< the same on this process's clock

  /// One end on two clocks: what is written down decides.
  friend bool operator==(const Pin& a, const Pin& b) {
    return a.weight == b.weight && a.until_wall == b.until_wall;
  }
};

struct Orders {
  std::optional<Pause> everything{};  ///< of all services
  std::map<ipvs::ServiceKey, Pause> pauses{};
  std::map<DestinationId, Pin> pins{};
  std::set<DestinationId> drains{};

  friend bool operator==(const Orders&, const Orders&) = default;
};

/// How a service is paused; the pause of all services counts first.
std::optional<Pause> pause_of(const Orders& orders, const ipvs::ServiceKey& service);

/// Pins that were read from a file get their end on this process's clock.
void set_pin_ends(Orders& orders, Moment now, double wall_time);

}  // namespace lvs::monitord
