#include "monitorctl/history_text.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

#include "monitorctl/number_text.hpp"
#include "monitord/history_text.hpp"
#include "monitord/html.hpp"
#include "monitord/log_line.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

const json::array& array_of(const json::value& value, std::string_view key) {
  static const json::array none;
  const auto* const object = value.if_object();
  const auto* const member =
      object == nullptr ? nullptr : object->if_contains(json::string_view(key.data(), key.size()));
  return member == nullptr || !member->is_array() ? none : member->get_array();
}

std::string text_of(const json::value& value, std::string_view key) {
  const auto* const object = value.if_object();
  const auto* const member =
      object == nullptr ? nullptr : object->if_contains(json::string_view(key.data(), key.size()));
  return member == nullptr || !member->is_string() ? std::string()
                                                   : std::string(member->get_string());
}

std::optional<double> number_of(const json::value& value) {
  json::error_code failure;
  const auto number = value.to_number<double>(failure);
  return failure ? std::nullopt : std::optional(number);
}

std::optional<double> number_of(const json::value& value, std::string_view key) {
  const auto* const object = value.if_object();
  const auto* const member =
      object == nullptr ? nullptr : object->if_contains(json::string_view(key.data(), key.size()));
  return member == nullptr ? std::nullopt : number_of(*member);
}

/// The columns that the text shows, by the names of the document.
constexpr std::array<std::string_view, 8> names{"wall_time", "weight",         "target",
                                                "cpu_busy",  "mem_available",  "composite",
                                                "active",    "new_connections"};
enum Column : std::size_t { time, weight, target, cpu, memory, spare, active, connections };

using Places = std::array<std::optional<std::size_t>, names.size()>;
using Numbers = std::array<std::optional<double>, names.size()>;

Places places_of(const json::value& document) {
  Places places;
  const auto& columns = array_of(document, "columns");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].is_string()) continue;
    for (std::size_t name = 0; name < names.size(); ++name) {
      if (columns[i].get_string() == json::string_view(names[name].data(), names[name].size())) {
        places[name] = i;
      }
    }
  }
  return places;
}

Numbers numbers_of(const json::value& point, const Places& places) {
  Numbers numbers;
  if (!point.is_array()) return numbers;
  const auto& array = point.get_array();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] && *places[i] < array.size()) numbers[i] = number_of(array[*places[i]]);
  }
  return numbers;
}

constexpr auto row_format = "{:<20} {:>6} {:>6} {:>5} {:>5} {:>5} {:>7} {:>6}\n";

std::string row_text(const Numbers& n) {
  return fmt::format(row_format, monitord::utc_from_wall_time(n[time].value_or(0)),
                     number_text(n[weight], 0), number_text(n[target], 0), number_text(n[cpu], 2),
                     number_text(n[memory], 2), number_text(n[spare], 2), number_text(n[active], 0),
                     number_text(n[connections], 0));
}

std::int64_t minute_of(const Numbers& numbers) {
  return static_cast<std::int64_t>(numbers[time].value_or(0)) / 60;
}

std::string csv_text(const json::value& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return monitord::csv_from_text(std::string(value.get_string()));
  const auto number = number_of(value);
  return number ? fmt::format("{}", *number) : std::string();
}

std::string joined(const json::array& values) {
  std::string line;
  for (std::size_t i = 0; i < values.size(); ++i)
    line += (i == 0 ? "" : ",") + csv_text(values[i]);
  return line + "\n";
}

monitord::HistoryEvent event_of(const json::value& value) {
  monitord::HistoryEvent event;
  event.wall_time = number_of(value, "wall_time").value_or(0);
  event.line.event = text_of(value, "event");
  event.line.level = monitord::log_level_from_string(text_of(value, "level"));
  const auto* const object = value.if_object();
  const auto* const fields = object == nullptr ? nullptr : object->if_contains("fields");
  if (fields == nullptr || !fields->is_object()) return event;
  for (const auto& field : fields->get_object()) {
    if (!field.value().is_string()) continue;
    event.line.fields.emplace_back(std::string(field.key()),
                                   std::string(field.value().get_string()));
  }
  return event;
}

}  // namespace

std::string history_text(const json::value& document) {
  const auto places = places_of(document);
  auto text =
      fmt::format("{} of {}\n", text_of(document, "destination"), text_of(document, "service"));
  text += fmt::format(row_format, "Time", "Weight", "Target", "C", "M", "F", "Active", "New");
  Numbers minute;
  for (const auto& point : array_of(document, "points")) {
    auto numbers = numbers_of(point, places);
    if (minute[time] && minute_of(numbers) != minute_of(minute)) {
      text += row_text(minute);
      minute = {};
    }
    if (minute[connections]) {
      numbers[connections] = numbers[connections].value_or(0) + *minute[connections];
    }
    minute = numbers;
  }
  return minute[time] ? text + row_text(minute) : text + "nothing is recorded yet\n";
}

std::string history_csv(const json::value& document) {
  auto text = joined(array_of(document, "columns"));
  for (const auto& point : array_of(document, "points")) {
    if (point.is_array()) text += joined(point.get_array());
  }
  return text;
}

std::string events_text(const json::value& document) {
  std::string text;
  for (const auto& value : array_of(document, "events")) {
    const auto event = event_of(value);
    text += fmt::format("{} {:<7} {}\n", monitord::utc_from_wall_time(event.wall_time),
                        monitord::string_from_log_level(event.line.level),
                        monitord::string_from_log_line(event.line));
  }
  return text.empty() ? "nothing has happened yet\n" : text;
}

std::string events_csv(const json::value& document) {
  std::string text(monitord::events_heading);
  for (const auto& event : array_of(document, "events"))
    text += monitord::csv_from_event(event_of(event));
  return text;
}

}  // namespace lvs::monitorctl
