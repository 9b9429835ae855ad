#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "monitorctl/command_line.hpp"

namespace {

using lvs::monitorctl::Printed;

/// False when the text could not be written: a full disk must not look like an empty table.
bool print(std::FILE* stream, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
         std::fflush(stream) == 0;
}

Printed outcome_of(const std::vector<std::string>& arguments) {
  const auto command = lvs::monitorctl::command_from_arguments(arguments, LVS_VERSION);
  if (!command) return command.error();
  return std::visit([](const auto& options) { return lvs::monitorctl::run(options); }, *command);
}

}  // namespace

int main(int count, char** values) {
  try {
    const auto printed = outcome_of({values + 1, values + count});
    const bool errors_out = print(stderr, printed.err);
    if (!print(stdout, printed.out) || !errors_out) {
      std::perror("monitorctl: output");
      return lvs::monitorctl::exit_status::failure;
    }
    return printed.status;
  } catch (const std::exception& error) {
    print(stderr, std::string("monitorctl: ") + error.what() + "\n");
    return lvs::monitorctl::exit_status::failure;
  }
}
