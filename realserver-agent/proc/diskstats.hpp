#pragma once

// /proc/diskstats (Documentation/admin-guide/iostats.rst): how long each disk was busy.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// Milliseconds with I/O in flight (column 13) by device name, partitions among them.
using DiskTimes = std::map<std::string, std::uint64_t>;

tl::expected<DiskTimes, ParseError> disk_times_from_text(std::string_view text);

}  // namespace lvs::agent
