// Standing orders as JSON, each with a sentence for people.

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "monitord/report.hpp"

namespace lvs::monitord {
namespace {

namespace json = boost::json;

std::string pause_text(Pause pause, const std::string& scope) {
  return pause == Pause::restoring ? fmt::format("{} goes back to its base weights", scope)
                                   : fmt::format("{} is paused", scope);
}

json::object pause_json(Pause pause, const std::optional<ipvs::ServiceKey>& service) {
  auto const name = service ? ipvs::string_from_service_key(*service) : std::string();
  return {{"order", pause == Pause::restoring ? "restore" : "pause"},
          {"service", name.empty() ? json::value(nullptr) : json::value(name)},
          {"text", pause_text(pause, name.empty() ? "everything" : name)}};
}

json::object order_json(std::string_view order, const DestinationId& id) {
  return {{"order", order},
          {"service", ipvs::string_from_service_key(id.service)},
          {"destination", ipvs::string_from_destination_key(id.destination)}};
}

std::string name_of(const DestinationId& id) {
  return fmt::format("{} of {}", ipvs::string_from_destination_key(id.destination),
                     ipvs::string_from_service_key(id.service));
}

json::object pin_json(const DestinationId& id, const Pin& pin, Moment now) {
  auto object = order_json("pin", id);
  object["weight"] = pin.weight;
  object["until"] = pin.until_wall ? json::value(*pin.until_wall) : json::value(nullptr);
  auto text = fmt::format("{} is pinned to {}", name_of(id), pin.weight);
  if (pin.until) {
    std::chrono::duration<double> const left = *pin.until - now;
    text += fmt::format(" for another {:.0f} s", left.count());
  }
  object["text"] = text;
  return object;
}

}  // namespace

boost::json::array json_from_orders(const Orders& orders, Moment now) {
  json::array array;
  if (orders.everything) array.emplace_back(pause_json(*orders.everything, {}));
  for (const auto& [key, pause] : orders.pauses)
    array.emplace_back(pause_json(pause, key));
  for (const auto& [id, pin] : orders.pins)
    array.emplace_back(pin_json(id, pin, now));
  for (const auto& id : orders.drains) {
    auto object = order_json("drain", id);
    object["text"] = name_of(id) + " is drained";
    array.emplace_back(std::move(object));
  }
  return array;
}

}  // namespace lvs::monitord
