#pragma once

// Keeps repeated warnings from filling the log. Pure: time is an argument.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "monitord/log_line.hpp"
#include "monitord/reading.hpp"

namespace lvs::monitord {

/// A warning or error about the same thing (event, service, destination, server) comes once a
/// minute at most, and then says how many were left out; so does a foreign writer's edit, who may
/// edit in every cycle. What else is only told (info, debug) is a change that happened, and is
/// never left out.
class LogLimiter {
 public:
  /// The line to write, or nothing.
  std::optional<LogLine> passed(LogLine line, Moment now);

 private:
  struct Last {
    Moment at{};
    std::uint64_t left_out{};
  };
  std::map<std::string, Last> last_{};
  Moment swept_{Moment::min()};  ///< when old things were last forgotten
};

}  // namespace lvs::monitord
