#include "cli/help_text.hpp"

#include <sstream>
#include <string>

#include "support/catch.hpp"

using namespace lvs::cli;

namespace {

Option option(std::vector<std::string> names, std::string placeholder, std::string what) {
  Option made;
  made.names = std::move(names);
  made.placeholder = std::move(placeholder);
  made.what = std::move(what);
  return made;
}

}  // namespace

TEST_CASE("help: a command with all that there is") {
  Command command;
  command.name = "go";
  command.what = "Goes somewhere";
  command.footer = "Example: tool go there\n";
  command.arguments = {option({}, "[FROM] TO", "Where it goes"),
                       option({}, "FILE", "What it takes")};
  command.arguments[0].required = true;
  command.arguments[1].many = true;
  command.options = {option({"-h", "--help"}, "", "Prints this"),
                     option({"-o", "--output"}, "text|json", "Output format"),
                     option({"--socket"}, "PATH", "The control socket"),
                     option({"--secret"}, "", "Never shown"), option({"--loud"}, "", "Says all")};
  command.options[2].standard = "/run/tool/control.sock";
  command.options[2].environment = "TOOL_SOCKET";
  command.options[3].hidden = true;
  command.options[4].group = "More, one at a time";
  command.options[4].excludes = {"--output"};
  CHECK(help_text(command, "tool go") ==
        "Goes somewhere\n"
        "\n"
        "Usage: tool go [OPTIONS] [FROM] TO [FILE...]\n"
        "\n"
        "Arguments:\n"
        "  [FROM] TO                   Where it goes\n"
        "  [FILE...]                   What it takes\n"
        "\n"
        "Options:\n"
        "  -h, --help                  Prints this\n"
        "  -o, --output text|json      Output format\n"
        "      --socket PATH           The control socket [/run/tool/control.sock] [or\n"
        "                              TOOL_SOCKET]\n"
        "\n"
        "More, one at a time:\n"
        "      --loud                  Says all [not with --output]\n"
        "\n"
        "Example: tool go there\n");
}

TEST_CASE("help: commands are listed, and a long name has its line") {
  Command command;
  command.what = "Does things";
  command.commands.resize(2);
  command.commands[0].name = "go";
  command.commands[0].what = "Goes";
  command.commands[1].name = "a-command-with-a-very-long-name";
  command.commands[1].what = "Stops";
  const auto text = help_text(command, "tool");
  CHECK(text.find("Usage: tool [OPTIONS] [COMMAND]\n") != std::string::npos);
  CHECK(text.find("\nCommands:\n  go                          Goes\n") != std::string::npos);
  CHECK(text.find("  a-command-with-a-very-long-name\n                              Stops\n") !=
        std::string::npos);
  command.commands[1].name = "stop";
  CHECK(help_text(command, "tool").find("  go    Goes\n  stop  Stops\n") != std::string::npos);
  command.needs_command = true;
  CHECK(help_text(command, "tool").find("Usage: tool [OPTIONS] COMMAND\n") != std::string::npos);
}

TEST_CASE("help: no line of ours is longer than 80 columns") {
  Command command;
  for (int i = 0; i < 40; ++i)
    command.what += "word" + std::string(static_cast<std::size_t>(i % 7), 'x') + " ";
  command.arguments = {option({}, "ARGUMENT", command.what)};
  command.options = {option({"--option"}, "VALUE", command.what)};
  std::istringstream lines(help_text(command, "tool"));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}
