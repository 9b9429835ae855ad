#pragma once

// One real server: an hour of each of its destinations, and what led to their weights.

#include <optional>
#include <string>

#include "ipvs/types.hpp"
#include "monitord/published.hpp"

namespace lvs::monitord {

/// Empty: no destination has this address, now or within the hour.
std::optional<std::string> server_page(const Published& published, const ipvs::IpAddress& address);

}  // namespace lvs::monitord
