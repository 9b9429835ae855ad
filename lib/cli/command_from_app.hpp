#pragma once

#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace lvs::cli {

Command command_from_app(const CLI::App& app);

}  // namespace lvs::cli
