#include "monitord/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "loadcalc/scheduler.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {
namespace {

using Answer = tl::expected<std::string, ControlError>;

tl::unexpected<ControlError> refused(std::string message, std::string hint) {
  return tl::make_unexpected(ControlError{std::move(message), std::move(hint)});
}

std::string in_dry_run(const OrderContext& context) {
  return context.config.dry_run ? "; this monitord runs dry: nothing is written" : "";
}

const ipvs::ServiceEntry* entry_of(const OrderContext& context, const ipvs::ServiceKey& key) {
  auto const found = std::ranges::find(
      context.table, key, [](const ipvs::ServiceEntry& one) { return one.service.key; });
  return found == context.table.end() ? nullptr : &*found;
}

tl::expected<const ipvs::ServiceEntry*, ControlError> steered_entry(const Order& order,
                                                                    const OrderContext& context,
                                                                    bool ends_own_zero) {
  auto const name = ipvs::string_from_service_key(*order.service);
  auto const* const entry = entry_of(context, *order.service);
  if (entry == nullptr) {
    return refused("there is no service " + name, "`monitorctl list` shows what there is");
  }
  if (ends_own_zero || is_managed(context.config, *order.service)) return entry;
  return refused(name + " is not managed: monitord leaves it alone",
                 "add it to services: in monitord.yaml and `monitorctl reload`");
}

/// The destination as it is in the table.
tl::expected<const ipvs::Destination*, ControlError> destination_of(const ipvs::ServiceEntry& entry,
                                                                    const Order& order) {
  auto const found =
      std::ranges::find(entry.destinations, *order.destination, &ipvs::Destination::key);
  if (found != entry.destinations.end()) return &*found;
  return refused(
      fmt::format("{} has no destination {}", ipvs::string_from_service_key(*order.service),
                  ipvs::string_from_destination_key(*order.destination)),
      "`monitorctl list` shows what there is");
}

std::string scope_of(const Order& order) {
  return order.service ? ipvs::string_from_service_key(*order.service) : "all services";
}

bool is_in_scope(const Order& order, const DestinationId& id) {
  return !order.service || id.service == *order.service;
}

void set_pause(Orders& orders, const Order& order, Pause pause) {
  if (order.service) {
    orders.pauses[*order.service] = pause;
  } else {
    orders.everything = pause;
  }
}

Answer take_pause(Orders& orders, const Order& order) {
  auto const standing = order.service ? pause_of(orders, *order.service) : orders.everything;
  if (standing == Pause::restoring) {
    return refused("a restore is under way", "it ends in a pause by itself in the next cycles");
  }
  set_pause(orders, order, Pause::paused);
  return fmt::format("paused: {}; weights stay as they are until `monitorctl resume`",
                     scope_of(order));
}

Answer take_restore(Orders& orders, const Order& order, const OrderContext& context) {
  auto const pins =
      std::erase_if(orders.pins, [&](auto const& item) { return is_in_scope(order, item.first); });
  set_pause(orders, order, Pause::restoring);
  return fmt::format(
      "the base weights of {} are put back in the next cycle, then paused until `monitorctl "
      "resume`; zeros of others and drains by hand stay{}{}",
      scope_of(order), pins == 0 ? "" : fmt::format("; pins taken back: {}", pins),
      in_dry_run(context));
}

Answer take_resume(Orders& orders, const Order& order) {
  if (!order.service) {
    orders.everything.reset();
    orders.pauses.clear();
    return "resumed: all services";
  }
  if (orders.everything) {
    return refused("all services are paused",
                   "`monitorctl resume` without a service ends every pause");
  }
  if (orders.pauses.erase(*order.service) == 0) {
    return refused(scope_of(order) + " is not paused", "`monitorctl status` shows what is");
  }
  return "resumed: " + scope_of(order);
}

std::uint32_t largest_weight_of(const Config& config, const ipvs::ServiceKey& key) {
  auto const* const listed = service_config(config, key);
  return traits_of(listed == nullptr ? OutputKind::ipvs : listed->output).can.range.max;
}

Answer take_pin(Orders& orders, const Order& order, const ipvs::ServiceEntry& entry,
                const ipvs::Destination& destination, const OrderContext& context) {
  DestinationId const id{*order.service, *order.destination};
  auto const name = ipvs::string_from_destination_key(id.destination);
  if (destination.weight == 0) {
    return refused(fmt::format("{} is at weight 0, and that is left alone", name),
                   "end the drain first: `monitorctl undrain`, or whoever set it to 0");
  }
  if (auto const most = largest_weight_of(context.config, id.service); order.weight > most) {
    return refused(
        fmt::format("{} is above {}, the largest weight that its output takes", order.weight, most),
        "pin it to less: docs/OUTPUTS.md has the range of each output");
  }
  Pin pin{order.weight, {}, {}};
  std::string until = "until `monitorctl unpin`";
  if (order.lasting) {
    std::chrono::duration<double> const seconds = *order.lasting;
    pin.until_wall = context.wall_time + seconds.count();
    pin.until = context.now + *order.lasting;
    until = fmt::format("for {:.0f} s", seconds.count());
  }
  orders.pins[id] = pin;
  auto const ignored =
      loadcalc::uses_weights(entry.service.scheduler)
          ? ""
          : fmt::format("; scheduler {} does not read weights as shares", entry.service.scheduler);
  return fmt::format("{} is pinned to {} {}{}{}", name, order.weight, until, ignored,
                     in_dry_run(context));
}

Answer take_unpin(Orders& orders, const Order& order) {
  auto const name = ipvs::string_from_destination_key(*order.destination);
  if (orders.pins.erase({*order.service, *order.destination}) == 0) {
    return refused(name + " is not pinned", "`monitorctl status` shows what is");
  }
  return name + " is steered again";
}

/// The last one that would take connections when every drain that is ordered is carried out.
bool is_last(const Orders& orders, const ipvs::ServiceEntry& entry,
             const ipvs::DestinationKey& key) {
  return std::ranges::none_of(entry.destinations, [&](const ipvs::Destination& other) {
    return other.key != key && other.weight > 0 &&
           !orders.drains.contains({entry.service.key, other.key});
  });
}

DestinationState* known_of(State& state, const DestinationId& id) {
  auto const service = state.services.find(id.service);
  if (service == state.services.end()) return nullptr;
  auto const found = service->second.destinations.find(id.destination);
  return found == service->second.destinations.end() ? nullptr : &found->second;
}

/// A 0 of monitord's own can be taken back in a service that it does not steer any more, too.
bool ends_own_zero(State& state, const Order& order) {
  if (order.kind != Order::Kind::undrain || !order.service || !order.destination) return false;
  DestinationId const id{*order.service, *order.destination};
  auto const* const known = known_of(state, id);
  return state.orders.drains.contains(id) || (known != nullptr && known->own_zero);
}

Answer take_drain(State& state, const Order& order, const ipvs::ServiceEntry& entry,
                  const ipvs::Destination& destination, const OrderContext& context) {
  auto& orders = state.orders;
  auto const name = ipvs::string_from_destination_key(*order.destination);
  DestinationId const id{*order.service, *order.destination};
  if (orders.drains.contains(id)) return name + " is drained already";
  auto* const known = known_of(state, id);
  if (destination.weight == 0 && !(known != nullptr && known->own_zero)) {
    return refused(name + " is at weight 0 already, and it was not monitord that set it",
                   "whoever set it has to raise it again");
  }
  if (is_last(orders, entry, id.destination)) {
    return refused(name + " is the last one with a weight: the service would refuse everybody",
                   "raise another one first");
  }
  orders.drains.insert(id);
  // Whatever an own zero was for, from now on it is this order's: it does not end with that reason.
  if (known != nullptr && known->own_zero) known->own_zero = ZeroCause::hand;
  return fmt::format(
      "{} is set to 0 in the next cycle: established connections go on, new ones "
      "go elsewhere{}",
      name, in_dry_run(context));
}

Answer take_undrain(State& state, const Order& order, const OrderContext& context) {
  auto const name = ipvs::string_from_destination_key(*order.destination);
  DestinationId const id{*order.service, *order.destination};
  bool const ordered = state.orders.drains.erase(id) > 0;
  auto* const known = known_of(state, id);
  bool const own = known != nullptr && known->own_zero.has_value();
  if (!ordered && !own) {
    return refused(name + " was not drained by monitord",
                   "a zero of somebody else's is theirs to raise");
  }
  // Whatever the zero was for: it is nobody's order any more, and a silent server or an agent that
  // goes on asking is drained anew only when it has come back in between.
  if (known != nullptr) known->zero_overridden = true;
  if (own) known->own_zero = ZeroCause::hand;
  bool const steered = is_managed(context.config, *order.service);
  return fmt::format("{} comes back in the next cycle, {}{}", name,
                     steered ? "slowly at first" : "with its base weight", in_dry_run(context));
}

/// Nothing, learned just now: older lessons that the other director sends are not taken back.
void forget_server(State& state, const ipvs::IpAddress& server, Moment now) {
  state.servers[server] = {};
  state.servers[server].learned_at = now;
}

void forget_service(State& state, const ipvs::ServiceEntry& entry, Moment now) {
  state.services[entry.service.key].ratio_exponent = 0;
  for (auto const& destination : entry.destinations)
    forget_server(state, destination.key.address, now);
}

Answer take_forget(State& state, const Order& order, const ipvs::ServiceEntry& entry, Moment now) {
  if (order.destination) {
    forget_server(state, order.destination->address, now);
    return fmt::format("what was learned about {} is forgotten",
                       ipvs::string_from_ip_address(order.destination->address));
  }
  forget_service(state, entry, now);
  return fmt::format("what was learned about the servers of {} is forgotten", scope_of(order));
}

bool is_undrain_of_absent(const Orders& orders, const Order& order, const OrderContext& context) {
  if (order.kind != Order::Kind::undrain || !order.service || !order.destination) return false;
  if (!orders.drains.contains({*order.service, *order.destination})) return false;
  auto const* const entry = entry_of(context, *order.service);
  return entry == nullptr || !destination_of(*entry, order);
}

Answer take_about_destination(State& state, const Order& order, const ipvs::ServiceEntry& entry,
                              const OrderContext& context) {
  auto const destination = destination_of(entry, order);
  if (!destination) return tl::make_unexpected(destination.error());
  switch (order.kind) {
    case Order::Kind::pin:
      return take_pin(state.orders, order, entry, **destination, context);
    case Order::Kind::drain:
      return take_drain(state, order, entry, **destination, context);
    case Order::Kind::undrain:
      return take_undrain(state, order, context);
    default:
      return take_forget(state, order, entry, context.now);
  }
}

}  // namespace

tl::expected<std::string, ControlError> take_order(State& state, const Order& order,
                                                   const OrderContext& context) {
  // What was ordered about a service can be taken back when that is gone.
  if (order.kind == Order::Kind::resume) return take_resume(state.orders, order);
  if (order.kind == Order::Kind::unpin) return take_unpin(state.orders, order);
  if (is_undrain_of_absent(state.orders, order, context)) {
    state.orders.drains.erase({*order.service, *order.destination});
    return ipvs::string_from_destination_key(*order.destination) +
           " is not in the table; its drain is taken back";
  }
  const ipvs::ServiceEntry* entry = nullptr;
  if (order.service) {
    auto const found = steered_entry(order, context, ends_own_zero(state, order));
    if (!found) return tl::make_unexpected(found.error());
    entry = *found;
  }
  if (order.kind == Order::Kind::pause) return take_pause(state.orders, order);
  if (order.kind == Order::Kind::restore) return take_restore(state.orders, order, context);
  if (entry == nullptr) return refused("no service is named", "name the one that it is about");
  if (order.kind == Order::Kind::forget && !order.destination) {
    return take_forget(state, order, *entry, context.now);
  }
  return take_about_destination(state, order, *entry, context);
}

}  // namespace lvs::monitord
