#pragma once

// The options that `defaults:` and every service of monitord.yaml share.

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// `inherited`, changed by what `node` says. Does not look for unknown keys: a service has more.
Policy policy_from_node(const strictyaml::Node& node, const Policy& inherited);

}  // namespace lvs::monitord
