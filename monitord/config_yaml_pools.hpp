#pragma once

// `pools:` of monitord.yaml: what is balanced without IPVS.

#include <vector>

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// What an output cannot do is a problem, and so is a strategy that needs connection counters where
/// there are none. Without them a pool is steered by the readings alone (`standby: steer`).
std::vector<PoolConfig> pools_from_node(const strictyaml::Node& node, const Policy& defaults);

}  // namespace lvs::monitord
