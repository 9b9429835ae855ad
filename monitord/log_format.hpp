#pragma once

// Log lines as other programs take them. Pure: the time is an argument.

#include <string>
#include <string_view>
#include <vector>

#include "monitord/log_line.hpp"

namespace lvs::monitord {

/// "debug", "info", "warning" or "error".
std::string_view string_from_log_level(LogLevel level);
/// `info` for a word that is none of them.
LogLevel log_level_from_string(std::string_view word);
/// As syslog(3) counts: 7 to 3.
int priority_of(LogLevel level);

/// "2026-05-01T12:00:00.123Z" from seconds since the epoch.
std::string time_for_json(double wall_time);

/// One JSON object without a line end: time, level, event, then the line's own fields, all of them
/// strings, as /api/events has them.
std::string json_from_log_line(const LogLine& line, std::string_view time);

/// Fields of sd_journal_sendv(3), each "NAME=value": MESSAGE, PRIORITY, SYSLOG_IDENTIFIER,
/// MONITORD_EVENT, and MONITORD_SERVICE, MONITORD_DESTINATION and so on for the line's fields.
std::vector<std::string> journal_fields_from_log_line(const LogLine& line,
                                                      std::string_view message);

}  // namespace lvs::monitord
