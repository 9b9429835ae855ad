#pragma once

// The command line of a program: CLI11 reads it, what is said about it is the same for all.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lvs::cli {

/// What is to be printed before the program ends with `status`.
struct Answer {
  std::string out{};
  std::string err{};
  int status{};
};

/// `arguments` without the program's name. Empty: `app` has taken them. Else help and the version
/// with status 0, the answer to a shell that completes, or what is wrong with status 2.
std::optional<Answer> parse(CLI::App& app, std::vector<std::string> arguments);

/// The same for main(); prints the answer and returns its status.
std::optional<int> parse_or_print(CLI::App& app, int count, const char* const* values);

}  // namespace lvs::cli
