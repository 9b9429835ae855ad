#pragma once

// A configuration in effect as a file of its own: every value, and where it comes from.

#include <map>
#include <string>

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// Settings that do not come from the files, and what to say instead of a place:
/// {"log.level", "--log-level"}.
using OtherOrigins = std::map<std::string, std::string>;

/// YAML that config_from_yaml() reads as the same configuration. `root` is the document that
/// `config` was made of, without an error in it. What a service does not set itself is not
/// repeated there: it is in `defaults:`. Keys are never shown, only the path of their file.
std::string yaml_from_config(const Config& config, const strictyaml::Node& root,
                             const OtherOrigins& others = {});

}  // namespace lvs::monitord
