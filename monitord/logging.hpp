#pragma once

// Where log lines go. To the journal, when it is what stderr is: the text as MESSAGE, and every
// field of the line as one of the journal's own. Else to stderr, as `time level event key=value…`
// or as a JSON object a line.

#include <functional>
#include <string_view>

#include "monitord/log_line.hpp"

namespace lvs::monitord {

/// `level`: debug, info, warning or error, or off; lines below it are dropped. `format`: text or
/// json; in the journal it says what MESSAGE is. May be called again.
void set_up_log(std::string_view level, std::string_view format = "text");

void log(const LogLine& line);

/// Takes the lines that pass the level instead of stderr and the journal; null: those again.
void set_log_sink(std::function<void(const LogLine&)> sink);

}  // namespace lvs::monitord
