#pragma once

// Why a command line is refused, in words that name what was probably meant.

#include <CLI/CLI.hpp>
#include <string>

namespace lvs::cli {

/// One line. `chosen` is the innermost command of `root` that was named.
std::string mistake_text(const CLI::App& root, const CLI::App& chosen,
                         const CLI::ParseError& error);

}  // namespace lvs::cli
