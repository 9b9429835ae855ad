#pragma once

// realserver-agent.yaml: text -> Config, or every problem at once. Pure: the file is read
// elsewhere.

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "realserver-agent/config/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::agent {

struct CheckedConfig {
  Config config{};
  std::vector<strictyaml::Problem> warnings{};
};

/// `file` is only a name for messages. On failure the warnings are among the problems.
tl::expected<CheckedConfig, std::vector<strictyaml::Problem>> config_from_yaml(std::string text,
                                                                               std::string file);

}  // namespace lvs::agent
