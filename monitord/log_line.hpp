#pragma once

// One event worth a line in the log, as a value. How it reaches stderr or the journal is in
// logging.hpp.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lvs::monitord {

enum class LogLevel { debug, info, warning, error };

struct LogLine {
  LogLevel level{LogLevel::info};
  std::string event{};  ///< one word, stable: scripts search for it
  std::vector<std::pair<std::string, std::string>> fields{};

  friend bool operator==(const LogLine&, const LogLine&) = default;
};

/// Empty: it has no such field.
std::string_view field_of(const LogLine& line, std::string_view key);

/// `event key=value key="two words"`. Quotes, backslashes and control characters are escaped, so
/// that a line stays one line whatever a value holds.
std::string string_from_log_line(const LogLine& line);

}  // namespace lvs::monitord
