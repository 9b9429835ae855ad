#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "monitorctl/arguments.hpp"
#include "monitorctl/command_line.hpp"

namespace {

using lvs::monitorctl::Printed;

/// False when the text could not be written: a full disk must not look like an empty table.
bool print(std::FILE* stream, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
         std::fflush(stream) == 0;
}

/// A command that prints as it goes writes to stdout itself, the others when they are done.
const auto run_command = [](const auto& options) {
  if constexpr (requires { lvs::monitorctl::run(options); }) {
    return lvs::monitorctl::run(options);
  } else {
    return lvs::monitorctl::run(options, [](std::string_view text) {
      return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    });
  }
};

Printed outcome_of(const std::vector<std::string>& arguments) {
  const auto command = lvs::monitorctl::command_from_arguments(arguments, LVS_VERSION);
  if (!command) return command.error();
  return std::visit(run_command, *command);
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> arguments{values + std::min(count, 1), values + count};
  try {
    const auto printed = outcome_of(arguments);
    const bool errors_out = print(stderr, printed.err);
    if (!print(stdout, printed.out) || !errors_out) {
      std::perror("monitorctl: output");
      return lvs::monitorctl::broken_status(arguments);
    }
    return printed.status;
  } catch (const std::exception& error) {
    print(stderr, std::string("monitorctl: ") + error.what() + "\n");
    return lvs::monitorctl::broken_status(arguments);
  }
}
