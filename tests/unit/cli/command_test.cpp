#include "cli/command.hpp"

#include <string>
#include <vector>

#include "cli/command_from_app.hpp"
#include "support/catch.hpp"

using namespace lvs::cli;

using Words = std::vector<std::string>;

TEST_CASE("command: only words that may be given are words") {
  CHECK(words_of("").empty());
  CHECK(words_of("FILE").empty());
  CHECK(words_of("FILE|-").empty());
  CHECK(words_of("[a|b] c").empty());
  CHECK(words_of("text|json") == Words{"text", "json"});
  CHECK(words_of("wide|json|csv|text") == Words{"wide", "json", "csv", "text"});
}

TEST_CASE("command: the parts of a placeholder") {
  CHECK(parts_of("").empty());
  const auto parts = parts_of("[SERVICE] DESTINATION  NAME,... HOST[:PORT] FILE.yaml...");
  REQUIRE(parts.size() == 5);
  CHECK(parts[0].name == "SERVICE");
  CHECK(parts[0].optional);
  CHECK(parts[1].name == "DESTINATION");
  CHECK_FALSE(parts[1].optional);
  CHECK(parts[2].name == "NAME");
  CHECK(parts[2].list);
  CHECK_FALSE(parts[2].many);
  CHECK(parts[3].name == "HOST");
  CHECK_FALSE(parts[3].optional);
  CHECK(parts[4].name == "FILE.yaml");
  CHECK(parts[4].many);
}

TEST_CASE("command: CLI11's tree as a value") {
  CLI::App app{"Does things", "tool"};
  app.set_version_flag("--version", "1");
  app.require_subcommand(1);
  auto& inner = *app.add_subcommand("go", "Goes");
  inner.fallthrough();
  inner.footer("Example: tool go\n");
  std::string file{"/x"};
  std::vector<std::string> names;
  bool quiet{};
  bool loud{};
  bool secret{};
  auto* const flag = inner.add_flag("-q,--quiet", quiet, "Says nothing");
  inner.add_option("--file", file, "From there")
      ->type_name("FILE")
      ->envname("TOOL_FILE")
      ->capture_default_str()
      ->excludes(flag);
  inner.add_flag("--secret", secret)->group("");
  inner.add_option("names", names, "Which")->type_name("NAME")->required();
  auto& group = *inner.add_option_group("More", "one at a time");
  group.add_flag("--loud", loud, "Says all");

  const auto tool = command_from_app(app);
  CHECK(tool.name == "tool");
  CHECK(tool.needs_command);
  REQUIRE(tool.options.size() == 2);
  CHECK(tool.options[0].names == Words{"-h", "--help"});
  CHECK(tool.options[0].placeholder.empty());
  CHECK(tool.options[1].names == Words{"--version"});
  REQUIRE(find_command(tool, "go") != nullptr);
  CHECK(find_command(tool, "stop") == nullptr);

  const auto& go = *find_command(tool, "go");
  CHECK(go.what == "Goes");
  CHECK(go.footer == "Example: tool go\n");
  CHECK(go.takes_outer_options);
  REQUIRE(go.arguments.size() == 1);
  CHECK(go.arguments[0].placeholder == "NAME");
  CHECK(go.arguments[0].required);
  CHECK(go.arguments[0].many);
  REQUIRE(go.options.size() == 5);
  CHECK(long_name(go.options[1]) == "--quiet");
  CHECK(go.options[2].placeholder == "FILE");
  CHECK(go.options[2].standard == "/x");
  CHECK(go.options[2].environment == "TOOL_FILE");
  CHECK(go.options[2].excludes == Words{"--quiet"});
  CHECK(go.options[3].hidden);
  CHECK(long_name(go.options[4]) == "--loud");
  CHECK(go.options[4].group == "More, one at a time");
}
