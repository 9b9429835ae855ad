#include "monitord/log_format.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "strictyaml/words.hpp"

namespace lvs::monitord {
namespace {

/// JSON leaves DEL as it is, which a terminal takes for a command.
std::string json_text(std::string_view text) {
  auto quoted = boost::json::serialize(boost::json::string(strictyaml::text_as_utf8(text)));
  for (auto at = quoted.find('\x7f'); at != std::string::npos; at = quoted.find('\x7f', at))
    quoted.replace(at, 1, "\\u007f");
  return quoted;
}

void add_member(std::string& json, std::string_view key, std::string_view value) {
  json += json.size() == 1 ? "" : ",";
  json += json_text(key) + ":" + json_text(value);
}

/// Names of fields are capitals, digits and underscores (systemd.journal-fields(7)).
std::string field_name(std::string_view key) {
  std::string name = "MONITORD_";
  for (const char c : key) {
    const bool small = c >= 'a' && c <= 'z';
    const bool kept = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += small ? static_cast<char>(c - 'a' + 'A') : kept ? c : '_';
  }
  return name;
}

}  // namespace

std::string_view string_from_log_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      break;
  }
  return "error";
}

LogLevel log_level_from_string(std::string_view word) {
  for (const auto level : {LogLevel::debug, LogLevel::warning, LogLevel::error}) {
    if (string_from_log_level(level) == word) return level;
  }
  return LogLevel::info;
}

int priority_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return 7;
    case LogLevel::info:
      return 6;
    case LogLevel::warning:
      return 4;
    case LogLevel::error:
      break;
  }
  return 3;
}

std::string time_for_json(double wall_time) {
  const auto milliseconds = static_cast<std::int64_t>(std::floor(wall_time * 1000));
  const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds), milliseconds % 1000);
}

std::string json_from_log_line(const LogLine& line, std::string_view time) {
  std::string json = "{";
  add_member(json, "time", time);
  add_member(json, "level", string_from_log_level(line.level));
  add_member(json, "event", line.event);
  for (const auto& [key, value] : line.fields)
    add_member(json, key, value);
  return json + "}";
}

std::vector<std::string> journal_fields_from_log_line(const LogLine& line,
                                                      std::string_view message) {
  std::vector<std::string> fields{"MESSAGE=" + std::string(message),
                                  fmt::format("PRIORITY={}", priority_of(line.level)),
                                  "SYSLOG_IDENTIFIER=monitord", "MONITORD_EVENT=" + line.event};
  for (const auto& [key, value] : line.fields)
    fields.push_back(field_name(key) + "=" + value);
  return fields;
}

}  // namespace lvs::monitord
