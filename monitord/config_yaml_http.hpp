#pragma once

// `http:` of monitord.yaml.

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// Warns where others than this host could read the page.
void set_http(const strictyaml::Node& node, HttpConfig& http);

}  // namespace lvs::monitord
