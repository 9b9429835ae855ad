#pragma once

// What failed probes have to say in the log. Pure.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "monitord/log_line.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

/// One line per kind of fault since `logged`, with how many and where the last one was; meant to be
/// called once a minute.
std::vector<LogLine> lines_from_probe_faults(
    const ProbeCounters& logged, const ProbeCounters& now,
    const std::map<std::string_view, std::string>& last_at);

}  // namespace lvs::monitord
