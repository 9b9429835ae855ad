// The journal's lines about what people ordered.

#include <boost/json/value.hpp>

#include "monitord/journal_lines.hpp"

namespace lvs::monitord::journal {
namespace {

namespace json = boost::json;

json::object pause_object(const std::optional<ipvs::ServiceKey>& service) {
  json::object object{{"order", "pause"}};
  object["service"] =
      service ? json::value(ipvs::string_from_service_key(*service)) : json::value(nullptr);
  return object;
}

json::object order_object(std::string_view order, const DestinationId& id) {
  auto object = object_from_id(id);
  object["order"] = json::string_view(order.data(), order.size());
  return object;
}

std::string line_end(json::object object) {
  object["end"] = true;
  return line(object);
}

std::string line_pause(const std::optional<ipvs::ServiceKey>& service, Pause pause) {
  auto object = pause_object(service);
  if (pause == Pause::restoring) object["restoring"] = true;
  return line(object);
}

std::string line_pin(const DestinationId& id, const Pin& pin) {
  auto object = order_object("pin", id);
  object["weight"] = pin.weight;
  if (pin.until_wall) object["until"] = *pin.until_wall;
  return line(object);
}

std::string pauses_between(const Orders& recorded, const Orders& now) {
  std::string lines;
  if (recorded.everything != now.everything) {
    lines += now.everything ? line_pause({}, *now.everything) : line_end(pause_object({}));
  }
  for (const auto& [key, pause] : recorded.pauses) {
    if (!now.pauses.contains(key)) lines += line_end(pause_object(key));
  }
  for (const auto& [key, pause] : now.pauses) {
    const auto before = recorded.pauses.find(key);
    if (before == recorded.pauses.end() || before->second != pause) lines += line_pause(key, pause);
  }
  return lines;
}

std::string pins_between(const Orders& recorded, const Orders& now) {
  std::string lines;
  for (const auto& [id, pin] : recorded.pins) {
    if (!now.pins.contains(id)) lines += line_end(order_object("pin", id));
  }
  for (const auto& [id, pin] : now.pins) {
    const auto before = recorded.pins.find(id);
    if (before == recorded.pins.end() || before->second != pin) lines += line_pin(id, pin);
  }
  return lines;
}

std::string drains_between(const Orders& recorded, const Orders& now) {
  std::string lines;
  for (const auto& id : recorded.drains) {
    if (!now.drains.contains(id)) lines += line_end(order_object("drain", id));
  }
  for (const auto& id : now.drains) {
    if (!recorded.drains.contains(id)) lines += line(order_object("drain", id));
  }
  return lines;
}

bool take_pause(Orders& orders, const json::object& object) {
  const auto* named = object.if_contains("service");
  const bool everything = named != nullptr && named->is_null();
  const auto key = service_of(object);
  if (!everything && !key) return false;
  const bool ends = flag_of(object, "end");
  const auto pause = flag_of(object, "restoring") ? Pause::restoring : Pause::paused;
  if (everything) {
    orders.everything = ends ? std::nullopt : std::optional(pause);
  } else if (ends) {
    orders.pauses.erase(*key);
  } else {
    orders.pauses[*key] = pause;
  }
  return true;
}

bool take_pin(Orders& orders, const json::object& object) {
  const auto id = id_of(object);
  if (!id) return false;
  if (flag_of(object, "end")) {
    orders.pins.erase(*id);
    return true;
  }
  const auto weight = weight_of(object, "weight");
  if (!weight || *weight == 0) return false;
  orders.pins[*id] = {*weight, number_of(object, "until"), {}};
  return true;
}

bool take_drain(Orders& orders, const json::object& object) {
  const auto id = id_of(object);
  if (!id) return false;
  if (flag_of(object, "end")) {
    orders.drains.erase(*id);
  } else {
    orders.drains.insert(*id);
  }
  return true;
}

}  // namespace

std::string lines_between(const Orders& recorded, const Orders& now) {
  return pauses_between(recorded, now) + pins_between(recorded, now) +
         drains_between(recorded, now);
}

bool take_order(Orders& orders, const json::object& object) {
  const auto order = text_of(object, "order");
  if (order == "pause") return take_pause(orders, object);
  if (order == "pin") return take_pin(orders, object);
  if (order == "drain") return take_drain(orders, object);
  return false;
}

}  // namespace lvs::monitord::journal
