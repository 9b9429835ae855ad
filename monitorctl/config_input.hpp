#pragma once

// Reads a configuration of monitord: the file that a person names and those of conf.d beside it, as
// monitord does.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "monitorctl/printed.hpp"
#include "strictyaml/document.hpp"

namespace lvs::monitorctl {

/// The texts in their order, or what to print instead. The file itself may be a pipe.
tl::expected<std::vector<strictyaml::TextFile>, Printed> config_files_from_argument(
    const std::string& path);

}  // namespace lvs::monitorctl
