// Arguments of `monitorctl help` and `monitorctl completion`.

#include <memory>
#include <string>

#include "monitorctl/command_line_parts.hpp"

namespace lvs::monitorctl {

void add_completion(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("completion", "A script that makes your shell complete words");
  auto options = std::make_shared<CompletionOptions>();
  app.add_option("shell", options->shell, "Which shell")
      ->type_name("bash|zsh|fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""))
      ->required();
  app.footer(
      "The packages install it. Services and destinations are those of the moment.\n"
      "Examples: source <(monitorctl completion bash)\n"
      "          monitorctl completion fish | source\n");
  finishes[&app] = [options] { return *options; };
}

void add_help(CLI::App& root, Finishes& finishes) {
  auto& app = *root.add_subcommand("help", "Says more about a command");
  auto command = std::make_shared<std::string>();
  app.add_option("command", *command, "Which one; without: all in a line each")
      ->type_name("COMMAND");
  app.footer("Example: monitorctl help pin\n");
  // "help COMMAND" never comes here: with_help_last() has made "COMMAND --help" of it.
  finishes[&app] = []() -> tl::expected<Command, std::string> {
    return tl::make_unexpected(std::string("help COMMAND, or COMMAND --help"));
  };
}

}  // namespace lvs::monitorctl
