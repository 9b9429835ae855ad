#pragma once

// Reads a text file.

#include <string>
#include <tl/expected.hpp>

namespace lvs::monitorctl {

/// The whole file. The error is one line.
tl::expected<std::string, std::string> text_from_file(const std::string& path);

/// The same; `-` is standard input, which needs no /dev/stdin (a chroot or a rescue system has
/// none).
tl::expected<std::string, std::string> text_from_argument(const std::string& path);

}  // namespace lvs::monitorctl
