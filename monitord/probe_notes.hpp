#pragma once

// What a configuration's strategies miss for want of a probe. Pure.

#include <string>
#include <vector>

#include "monitord/config.hpp"

namespace lvs::monitord {

/// One line for people per service (or for `defaults`, where every service is managed) whose
/// strategy looks at response times that nobody measures.
std::vector<std::string> notes_from_missing_probes(const Config& config);

}  // namespace lvs::monitord
