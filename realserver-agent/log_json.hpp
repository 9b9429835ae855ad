#pragma once

// A log line as JSON. Pure.

#include <string>
#include <string_view>

namespace lvs::agent {

/// {"time":…,"level":…,"message":…} without a line end. Whatever the message holds, it is one line.
std::string json_from_log(std::string_view time, std::string_view level, std::string_view message);

}  // namespace lvs::agent
