#pragma once

// The time between two samples as it is written on the command line. Pure.

#include <chrono>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace lvs::agent {

/// "500ms", "2s", "5m", "1h": 10ms to 1h. The error says what is allowed.
tl::expected<std::chrono::nanoseconds, std::string> interval_from_text(std::string_view text);

}  // namespace lvs::agent
