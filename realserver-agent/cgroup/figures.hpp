#pragma once

// Numbers in cgroup files, both versions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// A file with one number. Not there: no number and no error.
tl::expected<std::optional<std::uint64_t>, ParseError> number_from_file(
    std::string_view file, const std::optional<std::string>& text);

/// The number after `key` in a file with one key and number a line; empty when there is none.
std::optional<std::uint64_t> number_of_key(const std::optional<std::string>& text,
                                           std::string_view key);

/// quota/period in CPUs × 1000, at least 1. Empty when it makes no sense.
std::optional<std::uint64_t> cpus_x1000_from(std::uint64_t quota_us, std::uint64_t period_us);

/// CPUs in the first of the lists that says something.
tl::expected<std::optional<std::uint32_t>, ParseError> cpus_from_lists(
    std::string_view file, const std::optional<std::string>& effective,
    const std::optional<std::string>& configured);

}  // namespace lvs::agent
