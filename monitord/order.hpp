#pragma once

// An order as a person gives it, and what it does to the standing ones. Pure.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "ipvs/types.hpp"
#include "monitord/config.hpp"
#include "monitord/control_error.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

struct Order {
  enum class Kind { pause, resume, restore, pin, unpin, drain, undrain, forget };
  Kind kind{};
  /// Without: all services; pause, resume and restore only.
  std::optional<ipvs::ServiceKey> service{};
  /// pin, unpin, drain, undrain; with forget: without it, all of the service.
  std::optional<ipvs::DestinationKey> destination{};
  std::uint32_t weight{};                             ///< pin: 1 to 65535
  std::optional<std::chrono::nanoseconds> lasting{};  ///< pin: until unpin where empty

  friend bool operator==(const Order&, const Order&) = default;
};

/// What an order is judged by.
struct OrderContext {
  std::span<const ipvs::ServiceEntry> table;
  const Config& config;
  Moment now{};
  double wall_time{};  ///< seconds since the epoch
};

/// Carries the order out on `state`; the next cycles write what follows from it. A sentence for
/// people about what will happen now. An order that cannot be followed changes nothing.
tl::expected<std::string, ControlError> take_order(State& state, const Order& order,
                                                   const OrderContext& context);

}  // namespace lvs::monitord
