#include "monitord/history_text.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include "monitord/html.hpp"
#include "monitord/log_format.hpp"

namespace lvs::monitord {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 8> series_columns{"wall_time", "weight",         "target",
                                                         "cpu_busy",  "mem_available",  "composite",
                                                         "active",    "new_connections"};

/// Four digits say all that a graph of a ratio can show.
json::value ratio(float value) {
  if (!std::isfinite(value)) return nullptr;
  return std::round(double{value} * 1e4) / 1e4;
}

json::array numbers_of(const TimedPoint& timed) {
  const auto& point = timed.point;
  return {timed.wall_time,
          point.weight,
          ratio(point.target),
          ratio(point.cpu_busy),
          ratio(point.mem_available),
          ratio(point.composite),
          point.active,
          point.new_connections};
}

std::string csv_from_value(const json::value& value) {
  if (value.is_null()) return {};
  if (value.is_string())
    return csv_from_text({value.get_string().data(), value.get_string().size()});
  if (value.is_double()) return fmt::format("{}", value.get_double());
  if (value.is_bool()) return value.get_bool() ? "true" : "false";
  return fmt::format("{}", value.to_number<std::int64_t>());
}

/// All but the two that have columns of their own.
std::string details_of(const LogLine& line) {
  std::string text;
  for (const auto& [key, value] : line.fields) {
    if (key == "service" || key == "destination") continue;
    fmt::format_to(std::back_inserter(text), "{}{}={}", text.empty() ? "" : "; ", key, value);
  }
  return text;
}

/// The destinations of a service that holds one, as the status document has them.
json::array services_of(const CycleReport& report) {
  return json_from_report(report).at("services").as_array();
}

/// In their order; also where there is no destination: taken from one that is empty.
std::vector<std::string> keys_of_row() {
  CycleReport report;
  report.verdicts.emplace_back();
  const auto services = services_of(report);
  std::vector<std::string> keys;
  for (const auto& member : services.at(0).at("destinations").as_array().at(0).as_object()) {
    if (member.key() != "terms") keys.emplace_back(member.key());
  }
  return keys;
}

}  // namespace

json::object json_from_series(const History& history, const DestinationId& id) {
  json::array names;
  for (const auto name : series_columns)
    names.emplace_back(name);
  json::array points;
  for (const auto& timed : history.series(id))
    points.emplace_back(numbers_of(timed));
  return {{"service", ipvs::string_from_service_key(id.service)},
          {"destination", ipvs::string_from_destination_key(id.destination)},
          {"columns", std::move(names)},
          {"points", std::move(points)}};
}

std::string csv_from_series(const History& history, const DestinationId& id) {
  auto text = fmt::format("{}\n", fmt::join(series_columns, ","));
  for (const auto& timed : history.series(id)) {
    std::string_view separator;
    for (const auto& number : numbers_of(timed)) {
      text.append(separator).append(csv_from_value(number));
      separator = ",";
    }
    text += '\n';
  }
  return text;
}

json::object json_from_events(const History& history) {
  json::array events;
  for (const auto& event : history.events()) {
    json::object fields;
    for (const auto& [key, value] : event->line.fields)
      fields[key] = value;
    events.emplace_back(json::object{{"wall_time", event->wall_time},
                                     {"level", string_from_log_level(event->line.level)},
                                     {"event", event->line.event},
                                     {"fields", std::move(fields)}});
  }
  json::object document;
  document["events"] = std::move(events);
  return document;
}

std::string csv_from_event(const HistoryEvent& event) {
  const auto& line = event.line;
  return fmt::format("{},{},{},{},{},{}\n", event.wall_time, string_from_log_level(line.level),
                     csv_from_text(line.event), csv_from_text(field_of(line, "service")),
                     csv_from_text(field_of(line, "destination")), csv_from_text(details_of(line)));
}

std::string csv_from_events(const History& history) {
  std::string text(events_heading);
  for (const auto& event : history.events())
    text += csv_from_event(*event);
  return text;
}

std::string csv_from_report(const CycleReport& report) {
  std::string text = "service,scheduler";
  const auto keys = keys_of_row();
  for (const auto& key : keys)
    text.append(",").append(key);
  text += '\n';
  for (const auto& service : services_of(report)) {
    for (const auto& destination : service.at("destinations").as_array()) {
      text += csv_from_value(service.at("service"));
      text += "," + csv_from_value(service.at("scheduler"));
      for (const auto& key : keys)
        text += "," + csv_from_value(destination.at(key));
      text += '\n';
    }
  }
  return text;
}

}  // namespace lvs::monitord
