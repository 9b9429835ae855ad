#pragma once

// What happens in a scenario, in words.

#include <string>

#include "clustersim/scenario.hpp"

namespace lvs::clustersim {

/// "150 s: server 0: background 0.6", "400 s: load 0.9 over 60 s".
std::string string_from_event(const Event& event);

}  // namespace lvs::clustersim
