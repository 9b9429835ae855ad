// Every command of the tree: nobody has to remember to add one here.

#include "monitorctl/command_line.hpp"

#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "cli/help_text.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;

namespace {

struct Called {
  std::string path{};  ///< "monitorctl list"
  lvs::cli::Command command{};
};

void collect(const lvs::cli::Command& command, const std::string& path, std::vector<Called>& all) {
  all.push_back({path, command});
  for (const auto& each : command.commands)
    collect(each, path + " " + each.name, all);
}

std::vector<Called> all_commands() {
  std::vector<Called> all;
  collect(command_tree(), "monitorctl", all);
  return all;
}

Printed printed_for(std::vector<std::string> arguments) {
  const auto command = command_from_arguments(std::move(arguments), "0.0.0");
  REQUIRE_FALSE(command.has_value());
  return command.error();
}

}  // namespace

TEST_CASE("command line: every command has an example that calls it, and help within 80 columns") {
  REQUIRE(all_commands().size() > 20);
  for (const auto& [path, command] : all_commands()) {
    const auto help = lvs::cli::help_text(command, path);
    CAPTURE(path);
    CHECK_FALSE(command.what.empty());
    const auto example = command.footer.find("Example");
    REQUIRE(example != std::string::npos);
    CHECK(command.footer.find(path, example) != std::string::npos);
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 80);
    }
  }
}

TEST_CASE("command line: every option and argument says what it is") {
  for (const auto& [path, command] : all_commands()) {
    for (const auto& option : command.options) {
      CAPTURE(path, lvs::cli::long_name(option));
      if (option.hidden) continue;
      CHECK_FALSE(option.what.empty());
      CHECK(option.placeholder.find(':' + std::string("{")) == std::string::npos);
    }
    for (const auto& argument : command.arguments) {
      CAPTURE(path);
      CHECK_FALSE(argument.what.empty());
      CHECK_FALSE(argument.placeholder.empty());
    }
  }
}

TEST_CASE("command line: help COMMAND is COMMAND --help") {
  for (const auto& each : command_tree().commands) {
    CAPTURE(each.name);
    if (each.name == "help") continue;
    const auto help = printed_for({"help", each.name});
    CHECK(help.status == 0);
    CHECK(help.out.find("Usage: monitorctl " + each.name + " ") != std::string::npos);
    CHECK(help == printed_for({each.name, "--help"}));
  }
  CHECK(printed_for({"help"}) == printed_for({"--help"}));
  CHECK(printed_for({"help", "--help"}).out.find("Usage: monitorctl help ") != std::string::npos);
  CHECK(printed_for({"help", "lsit"}).status == 2);
}

TEST_CASE("command line: --version and --help are options of the program") {
  CHECK(printed_for({"--version"}).out == "monitorctl 0.0.0\n");
  CHECK(printed_for({"--help"}).status == 0);
}

TEST_CASE("command line: words before a cursor are read as arguments are") {
  const auto completion = [](std::vector<std::string> words) {
    words.insert(words.begin(), "completion-words");
    const auto command = command_from_arguments(std::move(words), "0.0.0");
    REQUIRE(command.has_value());
    return std::get<CompletionWordsOptions>(*command).completion;
  };
  CHECK(completion({"list", ""}).wanted == std::vector<std::string>{"SERVICE"});
  CHECK(completion({"-Ln", ""}).wanted == std::vector<std::string>{"SERVICE"});
  CHECK(completion({"-Lnt", ""}).option == "--tcp-service");
  CHECK(completion({"drain", "tcp:10.9.9.9:80", ""}).wanted ==
        std::vector<std::string>{"DESTINATION"});
  CHECK(completion({"completion", ""}).candidates.size() == 3);
  CHECK(completion({}).candidates.size() == command_tree().commands.size());
}
