#pragma once

// `servers:` and `services:` of monitord.yaml.

#include <map>
#include <optional>
#include <vector>

#include "ipvs/types.hpp"
#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

std::map<ipvs::IpAddress, ServerConfig> servers_from_node(const strictyaml::Node& node,
                                                          const Policy& defaults);

/// Nothing when there is no list: every service that uses weights is then managed. Warns of an
/// empty one, unless there are declared `pools`.
std::optional<std::vector<ServiceConfig>> services_from_node(const strictyaml::Node& node,
                                                             const Policy& defaults, bool pools);

}  // namespace lvs::monitord
