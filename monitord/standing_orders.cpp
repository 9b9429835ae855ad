#include "monitord/standing_orders.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lvs::monitord {
namespace {

const Pin* pin_of(const Seat& seat, const PoolContext& context) {
  auto const& pins = context.state.orders.pins;
  auto const found = pins.find({seat.verdict.service, seat.verdict.destination});
  return found == pins.end() ? nullptr : &found->second;
}

/// Written whenever it differs: a person wants exactly this weight, not one near to it.
void write_exactly(Seat& seat, std::uint32_t weight, Outcome outcome) {
  seat.verdict.target = weight;
  if (weight != seat.verdict.current) {
    seat.verdict.write = weight;
    seat.urgent = true;
  }
  settle(seat, outcome);
}

std::string name_of(const DestinationId& id) {
  return fmt::format("{} of {}", ipvs::string_from_destination_key(id.destination),
                     ipvs::string_from_service_key(id.service));
}

const Sighting* sighting_of(const Tracking& tracking, const DestinationId& id) {
  auto const service = tracking.services.find(id.service);
  if (service == tracking.services.end()) return nullptr;
  auto const& all = service->second.destinations;
  auto const found =
      std::ranges::find(all, id.destination, [](const Sighting& one) { return one.kernel->key; });
  return found == all.end() ? nullptr : &*found;
}

/// Somebody else set another weight above 0: the newer decision counts.
bool is_overridden(const Tracking& tracking, const DestinationId& id, const Config& config) {
  auto const* const sighting = sighting_of(tracking, id);
  return sighting != nullptr && sighting->foreign && sighting->kernel->weight != 0 &&
         policy_of(config, id.service).foreign == ForeignPolicy::adopt;
}

void end_pins(Tracking& tracking, Moment now, const Config& config,
              std::vector<std::string>& notes) {
  std::erase_if(tracking.next.orders.pins, [&](auto const& item) {
    auto const& [id, pin] = item;
    if (pin.until && *pin.until <= now) {
      notes.push_back(fmt::format("the pin of {} is over: steered again", name_of(id)));
      return true;
    }
    if (!is_overridden(tracking, id, config)) return false;
    notes.push_back(fmt::format("the pin of {} is over: somebody else set its weight to {}",
                                name_of(id), sighting_of(tracking, id)->kernel->weight));
    return true;
  });
}

void end_drains(Tracking& tracking, std::vector<std::string>& notes) {
  std::erase_if(tracking.next.orders.drains, [&](const DestinationId& id) {
    auto const* const sighting = sighting_of(tracking, id);
    bool const was_drained = sighting != nullptr && sighting->before.own_zero == ZeroCause::hand;
    // Under `foreign: reassert` as well: a 0 that is put back again and again would be a fight.
    if (!was_drained || !sighting->foreign || sighting->kernel->weight == 0) return false;
    notes.push_back(fmt::format("the drain of {} is over: somebody else set its weight to {}",
                                name_of(id), sighting->kernel->weight));
    return true;
  });
}

bool is_restored(const Tracking& tracking, const ipvs::ServiceKey& key) {
  auto const sighting = tracking.services.find(key);
  if (sighting == tracking.services.end()) return true;
  auto const& known = tracking.next.services.at(key).destinations;
  auto const& orders = tracking.next.orders;
  return std::ranges::all_of(sighting->second.destinations, [&](const Sighting& one) {
    auto const& destination = known.at(one.kernel->key);
    auto const weight = one.kernel->weight;
    // Another order says what its weight is.
    DestinationId const id{key, one.kernel->key};
    if (orders.pins.contains(id) || orders.drains.contains(id)) return true;
    bool const own = destination.own_zero && destination.own_zero != ZeroCause::hand;
    return weight == destination.base || (weight == 0 && !own) || one.foreign;
  });
}

void end_restores(Tracking& tracking, const Config& config) {
  auto& orders = tracking.next.orders;
  for (auto& [key, pause] : orders.pauses) {
    if (pause == Pause::restoring && is_restored(tracking, key)) pause = Pause::paused;
  }
  if (orders.everything != Pause::restoring) return;
  bool const all = std::ranges::all_of(tracking.services, [&](auto const& item) {
    return !is_managed(config, item.first) || is_restored(tracking, item.first);
  });
  if (all) orders.everything = Pause::paused;
}

}  // namespace

void settle_pins(Seats& seats, const PoolContext& context) {
  for (auto& seat : seats) {
    if (seat.settled) continue;
    auto const* const pin = pin_of(seat, context);
    bool const contested =
        context.service.destinations.at(seat.verdict.destination).reassert.has_value();
    if (pin != nullptr && !contested) write_exactly(seat, pin->weight, Outcome::pinned);
  }
}

void settle_pause(Seats& seats, const PoolContext& context) {
  auto const pause = pause_of(context.state.orders, context.sighting.service->key);
  if (!pause) return;
  for (auto& seat : seats) {
    if (seat.settled) continue;
    bool const puts_back =
        *pause == Pause::restoring && seat.verdict.base > 0 && !seat.sighting->foreign;
    if (puts_back) {
      write_exactly(seat, seat.verdict.base, Outcome::restoring);
    } else {
      settle(seat, Outcome::paused);
    }
  }
}

std::vector<std::string> end_orders(Tracking& tracking, Moment now, const Config& config) {
  std::vector<std::string> notes;
  end_pins(tracking, now, config, notes);
  end_drains(tracking, notes);
  end_restores(tracking, config);
  return notes;
}

}  // namespace lvs::monitord
