#pragma once

// /proc/uptime (proc(5)).

#include <cstdint>
#include <string_view>

#include <tl/expected.hpp>

#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// Nanoseconds since boot, suspend included; the file has steps of 10 ms.
tl::expected<std::uint64_t, ParseError> uptime_ns_from_text(std::string_view text);

}  // namespace lvs::agent
