#pragma once

// monitord.yaml: text -> Config, or every problem at once. Pure: the file is read elsewhere.
// The format is described in monitord.yaml(5).

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitord/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

struct CheckedConfig {
  Config config{};
  std::vector<strictyaml::Problem> warnings{};
};

/// `file` is only a name for messages. On failure the warnings are among the problems, in the
/// order of the file.
tl::expected<CheckedConfig, std::vector<strictyaml::Problem>> config_from_yaml(std::string text,
                                                                               std::string file);

}  // namespace lvs::monitord
