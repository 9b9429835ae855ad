#pragma once

// Where log lines go: stderr as `time level event key=value…`, or, when stderr is the journal, as
// `<priority>event key=value…`, for the journal has a time of its own.

#include <string_view>

#include "monitord/log_line.hpp"

namespace lvs::monitord {

/// `level`: debug, info, warning or error; lines below it are dropped. May be called again.
void set_up_log(std::string_view level);

void log(const LogLine& line);

}  // namespace lvs::monitord
