#pragma once

// keys.yaml of the director: the master keys that agents' keys are derived from. Pure: the file is
// read, and its mode checked, elsewhere. No message ever shows a part of the file.
//
//   keys:
//     - id: 1
//       master: 64 hexadecimal digits

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitord/poll_engine.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitord {

/// In the order of the file: the first key is the one that agents are asked with first.
tl::expected<std::vector<PollKey>, std::vector<strictyaml::Problem>> keys_from_yaml(
    std::string text, std::string file);

}  // namespace lvs::monitord
