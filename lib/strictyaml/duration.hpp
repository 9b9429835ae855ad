#pragma once

// Durations as people write them in a configuration.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvs::strictyaml {

/// "500ms", "2s", "1.5s", "5m", "1h": nanoseconds. Nothing for anything else, a bare number, a
/// negative one or one beyond 290 years among them.
std::optional<std::int64_t> duration_ns_from_string(std::string_view text);

/// In the largest unit that needs no fraction: "2s", "1500ms". What is no whole millisecond is
/// shown in microseconds or nanoseconds, which the other function does not take.
std::string string_from_duration_ns(std::int64_t nanoseconds);

}  // namespace lvs::strictyaml
