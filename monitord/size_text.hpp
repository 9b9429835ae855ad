#pragma once

// Sizes as people write them in a configuration.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvs::monitord {

/// "64KiB", "64MiB", "1GiB": bytes. Nothing for anything else, a bare number among it.
std::optional<std::uint64_t> size_from_string(std::string_view text);

/// In the largest unit that needs no fraction; bytes below 1 KiB or where none fits.
std::string string_from_size(std::uint64_t bytes);

}  // namespace lvs::monitord
