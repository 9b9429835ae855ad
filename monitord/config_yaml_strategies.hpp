#pragma once

// The numbers of relief and of the strategies in `defaults:` or in a service of monitord.yaml.

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// Changes what `guards:` and the maps of the strategies (`capacity:`, `feedback:` …) in `node`
/// say.
void set_strategies(const strictyaml::Node& node, Policy& policy);

}  // namespace lvs::monitord
