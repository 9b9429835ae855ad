#pragma once

// From the arguments to a command. CLI11 lives in command_line*.cpp alone.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "cli/command.hpp"
#include "monitorctl/commands.hpp"

namespace lvs::monitorctl {

/// Without the program's name. The "error" is what to print instead of running a command: help and
/// version with status 0, usage errors with status 2.
tl::expected<Command, Printed> command_from_arguments(std::vector<std::string> arguments,
                                                      const std::string& version);

/// All commands and what they take, as --help shows them.
cli::Command command_tree();

}  // namespace lvs::monitorctl
