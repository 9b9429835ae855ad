#pragma once

// Texts as scalars of YAML.

#include <string>
#include <string_view>

namespace lvs::monitord {

/// As it is where every reader of YAML takes it for a text, else in double quotes. Whatever it
/// holds, it stays on its line, and lib/strictyaml reads the same text back.
std::string yaml_from_text(std::string_view text);

}  // namespace lvs::monitord
