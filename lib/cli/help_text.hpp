#pragma once

// What --help prints. Pure.

#include <string>

#include "cli/command.hpp"

namespace lvs::cli {

/// `path` is how the command is called: "monitorctl list". No line is longer than 80 columns, but
/// those of the footer, which are taken as they are.
std::string help_text(const Command& command, const std::string& path);

/// "[SERVICE] DESTINATION", "[FILE]", "FILE...": all arguments as a line of usage has them.
std::string arguments_text(const Command& command);

}  // namespace lvs::cli
