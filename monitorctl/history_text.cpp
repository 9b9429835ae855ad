#include "monitorctl/history_text.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

#include "monitorctl/history_points.hpp"
#include "monitorctl/json_member.hpp"
#include "monitorctl/number_text.hpp"
#include "monitord/history_text.hpp"
#include "monitord/html.hpp"
#include "monitord/log_format.hpp"
#include "monitord/log_line.hpp"

namespace lvs::monitorctl {
namespace {

namespace json = boost::json;

constexpr auto row_format = "{:<20} {:>6} {:>6} {:>5} {:>5} {:>5} {:>7} {:>6}\n";

std::string row_text(const HistoryNumbers& n) {
  return fmt::format(row_format, monitord::utc_from_wall_time(n.time.value_or(0)),
                     number_text(n.weight, 0), number_text(n.target, 0), number_text(n.cpu_busy, 2),
                     number_text(n.mem_available, 2), number_text(n.composite, 2),
                     number_text(n.active, 0), number_text(n.new_connections, 0));
}

std::int64_t minute_of(const HistoryNumbers& numbers) {
  return static_cast<std::int64_t>(numbers.time.value_or(0)) / 60;
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
  const auto* const fields = member_of(value, "fields");
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
  auto text =
      fmt::format("{} of {}\n", text_of(document, "destination"), text_of(document, "service"));
  text += fmt::format(row_format, "Time", "Weight", "Target", "C", "M", "F", "Active", "New");
  HistoryNumbers minute;
  for (auto numbers : numbers_from_history(document)) {
    if (minute.time && minute_of(numbers) != minute_of(minute)) {
      text += row_text(minute);
      minute = {};
    }
    if (minute.new_connections) {
      numbers.new_connections = numbers.new_connections.value_or(0) + *minute.new_connections;
    }
    minute = numbers;
  }
  return minute.time ? text + row_text(minute) : text + "nothing is recorded yet\n";
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
