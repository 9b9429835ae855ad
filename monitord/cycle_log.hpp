#pragma once

// What a finished cycle has to say in the log. Pure: two reports go in, lines come out. Changes of
// state speak, states do not: a quiet cluster writes nothing.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "monitord/log_line.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

/// One line per weight written (or, in a dry run, proposed anew) with the numbers that led to it;
/// per server whose reading changed its state; per service that froze or thawed; per destination
/// that was drained, undrained or changed by somebody else; when the table goes and comes back.
/// For the first cycle `previous` is an empty report.
std::vector<LogLine> lines_from_cycle(const CycleReport& previous, const CycleReport& report);

/// What became of one write; `verdict` adds its numbers and may be null.
LogLine line_from_applied(const Applied& applied, const Verdict* verdict);

/// The problems of a configuration that was refused, as strictyaml prints them: one line each, with
/// its hint; the source lines are for a terminal.
std::vector<LogLine> lines_from_refusal(std::string_view problems);

/// One line per kind of bad reply seen since `logged`, with how many and who sent the last one;
/// meant to be called once a minute.
std::vector<LogLine> lines_from_faults(const PollCounters& logged, const PollCounters& now,
                                       const std::map<std::string_view, std::string>& last_from);

}  // namespace lvs::monitord
