#include "cli/parse.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"

using namespace lvs::cli;

using Words = std::vector<std::string>;

namespace {

/// A tool with all kinds of options, and what it answers to arguments.
std::optional<Answer> answer_to(const Words& arguments) {
  CLI::App app{"Does things", "tool"};
  app.set_version_flag("--version", "tool 1");
  app.require_subcommand(1);
  std::string output, file, file_of_config, action;
  Words names;
  bool wide{}, list{};
  int count{};
  auto& show = *app.add_subcommand("show", "Shows");
  show.add_flag("--wide", wide, "All columns");
  show.add_flag("-L", list)->group("");
  show.add_option("-o,--output", output, "Format")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}).description(""));
  show.add_option("--count", count, "How many")->type_name("N");
  auto& order = *app.add_subcommand("order", "Orders");
  order.add_option("names", names, "What")
      ->type_name("[SERVICE] DESTINATION")
      ->expected(1, 2)
      ->required();
  order.add_option("--for", file)->type_name("TIME");
  auto& config = *app.add_subcommand("config", "Looks at it");
  config.require_subcommand(1);
  config.fallthrough();
  config.add_option("--config", file_of_config)->type_name("FILE");
  auto& check = *config.add_subcommand("check", "Checks");
  check.fallthrough();
  auto& state = *app.add_subcommand("state", "Keeps");
  state.add_option("action", action)
      ->type_name("export|import")
      ->check(CLI::IsMember({"export", "import"}).description(""))
      ->required();
  return parse(app, arguments);
}

}  // namespace

TEST_CASE("parse: mistakes end with 2 and name what was probably meant") {
  const auto [arguments, text, path] = GENERATE(table<Words, std::string, std::string>({
      {{}, "name a command; commands: show, order, config, state", "tool"},
      {{"shwo"}, "unknown command \"shwo\"; did you mean \"show\"?", "tool"},
      {{"frobnicate"},
       "unknown command \"frobnicate\"; commands: show, order, config, state",
       "tool"},
      {{"--versoin"}, "unknown option \"--versoin\"; did you mean \"--version\"?", "tool"},
      {{"show", "--wdie"}, "unknown option \"--wdie\"; did you mean \"--wide\"?", "tool show"},
      {{"show", "-wide"}, "unknown option \"-wide\"; did you mean \"--wide\"?", "tool show"},
      {{"show", "--ouptut=json"},
       "unknown option \"--ouptut\"; did you mean \"--output\"?",
       "tool show"},
      {{"show", "--frobnicate"}, "unknown option \"--frobnicate\"", "tool show"},
      {{"show", "-o", "jsn"},
       "--output: \"jsn\" is not known here; did you mean \"json\"?",
       "tool show"},
      {{"show", "-o", "yaml"},
       "--output: \"yaml\" is not known here; one of: text, json",
       "tool show"},
      {{"show", "-o"}, "--output needs a value: text|json", "tool show"},
      {{"show", "--count", "x"}, "--count: \"x\" is no N", "tool show"},
      {{"show", "surplus"}, "\"surplus\" is one argument too many", "tool show"},
      {{"order"}, "[SERVICE] DESTINATION is required", "tool order"},
      {{"order", "--fro", "5"}, "unknown option \"--fro\"; did you mean \"--for\"?", "tool order"},
      {{"order", "a", "b", "c"},
       "[SERVICE] DESTINATION: At Most 2 required but received 3",
       "tool order"},
      {{"config"}, "name a command; commands: check", "tool config"},
      {{"config", "chekc"}, "unknown command \"chekc\"; did you mean \"check\"?", "tool config"},
      {{"config", "check", "--confg", "x"},
       "unknown option \"--confg\"; did you mean \"--config\"?",
       "tool config check"},
      {{"state", "exprot"},
       "export|import: \"exprot\" is not known here; did you mean \"export\"?",
       "tool state"},
  }));
  CAPTURE(arguments);
  const auto answer = answer_to(arguments);
  REQUIRE(answer.has_value());
  CHECK(answer->status == 2);
  CHECK(answer->out.empty());
  CHECK(answer->err.find("tool: " + text) == 0);
  CHECK(answer->err.ends_with("\n`" + path + " --help` shows what there is.\n"));
}

TEST_CASE("parse: hidden options are taken and never suggested") {
  CHECK_FALSE(answer_to({"show", "-L"}).has_value());
  CHECK(answer_to({"show", "-K"})->err.find("did you mean") == std::string::npos);
}

TEST_CASE("parse: help and version go to stdout, and what is right goes on") {
  const auto help = answer_to({"show", "--help"});
  REQUIRE(help.has_value());
  CHECK(help->status == 0);
  CHECK(help->err.empty());
  CHECK(help->out.find("Usage: tool show [OPTIONS]\n") != std::string::npos);
  CHECK(answer_to({"-h"})->out.find("Usage: tool [OPTIONS] COMMAND\n") != std::string::npos);
  CHECK(answer_to({"--version"})->out == "tool 1\n");
  CHECK_FALSE(answer_to({"show", "--wide", "-o", "json"}).has_value());
  CHECK_FALSE(answer_to({"config", "check", "--config", "x"}).has_value());
}

TEST_CASE("parse: shells are answered whatever else is on the line") {
  const auto answer = answer_to({"completion-words", "show", "--wdie", "-o", ""});
  REQUIRE(answer.has_value());
  CHECK(answer->status == 0);
  CHECK(answer->out == "text\njson\n");
  CHECK(answer->err.empty());
  CHECK(answer_to({"completion-words"})->out.find("show\tShows\n") == 0);
}
