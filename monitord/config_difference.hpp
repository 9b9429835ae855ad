#pragma once

// What a reload changes, in the words of monitord.yaml.

#include <string>
#include <vector>

#include "monitord/config.hpp"

namespace lvs::monitord {

/// One line per change, sorted by setting: "interval: 2s -> 1s", "tcp 10.9.9.9:80: boundary: 5%
/// -> 3", "server 10.0.0.11: added". Empty when nothing changed.
std::vector<std::string> config_difference(const Config& before, const Config& after);

}  // namespace lvs::monitord
