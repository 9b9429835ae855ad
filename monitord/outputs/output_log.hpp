#pragma once

// What the log says of HAProxy's questions that could not be answered with a weight. Pure.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "monitord/log_line.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

/// A line for each kind of fault that was counted since `logged`, with the last question of it.
std::vector<LogLine> lines_from_question_faults(
    const QuestionCounters& logged, const QuestionCounters& now,
    const std::map<std::string_view, std::string>& last);

}  // namespace lvs::monitord
