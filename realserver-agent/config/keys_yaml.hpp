#pragma once

// keys.yaml of an agent: the keys that it answers to, made by `monitorctl keygen --agent NAME`.
// Pure: the file is read, and its mode checked, elsewhere. No message shows a part of the file.
//
//   keys:
//     - id: 1
//       key: 64 hexadecimal digits

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "realserver-agent/config/config.hpp"
#include "strictyaml/document.hpp"

namespace lvs::agent {

/// Two keys while they are exchanged, one otherwise; `keys: []` is a file without any.
tl::expected<std::vector<AgentKey>, std::vector<strictyaml::Problem>> keys_from_yaml(
    std::string text, std::string file);

}  // namespace lvs::agent
