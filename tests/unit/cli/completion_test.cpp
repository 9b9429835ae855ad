#include "cli/completion.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"

using namespace lvs::cli;

using Words = std::vector<std::string>;

namespace {

Option option(Words names, std::string placeholder, std::string what = "") {
  Option made;
  made.names = std::move(names);
  made.placeholder = std::move(placeholder);
  made.what = std::move(what);
  return made;
}

Command command(std::string name, std::vector<Option> arguments) {
  Command made;
  made.name = std::move(name);
  made.what = "About " + made.name;
  made.arguments = std::move(arguments);
  made.options = {option({"-h", "--help"}, ""), option({"-o", "--output"}, "text|json", "Format"),
                  option({"-n"}, ""),           option({"-t", "--tcp-service"}, "VIP:PORT"),
                  option({"--config"}, "FILE"), option({"--strategy"}, "STRATEGY,..."),
                  option({"--old"}, "")};
  made.options.back().hidden = true;
  return made;
}

Option required(Option made) {
  made.required = true;
  return made;
}

Command tool() {
  Command root;
  root.name = "tool";
  root.options = {option({"--version"}, "", "Tells it")};
  auto files = required(option({}, "FILE"));
  files.many = true;
  root.commands = {command("list", {option({}, "SERVICE")}),
                   command("pin", {required(option({}, "[SERVICE] DESTINATION WEIGHT"))}),
                   command("state", {required(option({}, "export|import")), option({}, "[FILE]")}),
                   command("replay", {files}), command("help", {option({}, "COMMAND")})};
  root.commands[0].options[1].excludes = {"--config"};
  root.commands[0].takes_outer_options = true;
  return root;
}

Words words_in(const Completion& completion) {
  Words words;
  for (const auto& candidate : completion.candidates)
    words.push_back(completion.prefix + candidate.word);
  return words;
}

}  // namespace

TEST_CASE("completion: what may stand at the cursor") {
  const Words all{"list", "pin", "state", "replay", "help"};
  const auto [given, candidates, wanted] = GENERATE_COPY(table<Words, Words, Words>({
      {Words{}, all, Words{}},
      {Words{""}, all, Words{}},
      {Words{"li"}, all, Words{}},
      {{"--"}, {"--version"}, {}},
      {{"nonsense", ""}, {}, {}},
      {{"list", ""}, {}, {"SERVICE"}},
      {{"list", "tcp:1.2.3.4:80", ""}, {}, {}},
      {{"list", "-o", ""}, {"text", "json"}, {}},
      {{"list", "-no", ""}, {"text", "json"}, {}},
      {{"list", "-o", "json", ""}, {}, {"SERVICE"}},
      {{"list", "-ojson", ""}, {}, {"SERVICE"}},
      {{"list", "--output=js"}, {"--output=text", "--output=json"}, {}},
      {{"list", "--output=json", ""}, {}, {"SERVICE"}},
      {{"list", "-nt", ""}, {}, {"VIP:PORT"}},
      {{"list", "--config", ""}, {}, {"FILE"}},
      {{"list", "--strategy", "a,b"}, {}, {"STRATEGY"}},
      {{"list", "-n", "-"},
       {"--help", "--output", "--tcp-service", "--config", "--strategy", "--version"},
       {}},
      {{"list", "--config", "x", "-"},
       {"--help", "-n", "--tcp-service", "--strategy", "--version"},
       {}},
      {{"list", "--", "-"}, {}, {"SERVICE"}},
      {{"pin", ""}, {}, {"SERVICE", "DESTINATION"}},
      {{"pin", "a", ""}, {}, {"DESTINATION", "WEIGHT"}},
      {{"pin", "a", "b", ""}, {}, {"WEIGHT"}},
      {{"pin", "a", "b", "c", ""}, {}, {}},
      {{"state", ""}, {"export", "import"}, {}},
      {{"state", "import", ""}, {}, {"FILE"}},
      {{"state", "import", "x", ""}, {}, {}},
      {{"replay", "x", "y", ""}, {}, {"FILE"}},
      {{"replay", "x", "list", ""}, {}, {"FILE"}},
      {Words{"help", ""}, all, Words{}},
      {{"help", "--"}, {"--help", "--output", "-n", "--tcp-service", "--config", "--strategy"}, {}},
  }));
  CAPTURE(given);
  const auto completion = completion_of(tool(), given);
  CHECK(words_in(completion) == candidates);
  CHECK(completion.wanted == wanted);
}

TEST_CASE("completion: what was given before is told to the program") {
  const auto completion =
      completion_of(tool(), {"pin", "-nt", "1.2.3.4:80", "--config=x", "10.0.0.11:80", ""});
  using Given = std::vector<std::pair<std::string, std::string>>;
  CHECK(completion.options ==
        Given{{"-n", ""}, {"--tcp-service", "1.2.3.4:80"}, {"--config", "x"}});
  CHECK(completion.arguments == Words{"10.0.0.11:80"});
  CHECK(completion_of(tool(), {"list", "-t", ""}).option == "--tcp-service");
  CHECK(completion_of(tool(), {"list", "--strategy=a,b,c"}).prefix == "--strategy=a,b,");
}

TEST_CASE("completion: as text for the scripts of the shells") {
  CHECK(completion_text(completion_of(tool(), {"--v"})) == "--version\tTells it\n");
  CHECK(completion_text(completion_of(tool(), {"list", "--output=j"})) ==
        "--output=text\n--output=json\n");
  CHECK(completion_text(completion_of(tool(), {"replay", ""})) == ":files\n");
  CHECK(completion_text({.wanted = {"DIR"}}) == ":directories\n");
  CHECK(completion_text({.wanted = {"TIME"}}).empty());
  CHECK(completion_text({.wanted = {"RECORDING"}}) == ":files\n");
  const auto resolver = [](const std::string& name) -> std::optional<std::vector<Candidate>> {
    if (name == "SERVICE") return std::vector<Candidate>{{"tcp:1.2.3.4:80", "wrr"}};
    if (name == "DESTINATION") return std::vector<Candidate>{};
    return std::nullopt;
  };
  CHECK(completion_text(completion_of(tool(), {"pin", ""}), resolver) == "tcp:1.2.3.4:80\twrr\n");
}

TEST_CASE("completion: every shell has a script that names the program") {
  const auto shell = GENERATE(as<std::string>{}, "bash", "zsh", "fish");
  const auto script = completion_script(shell, "some-tool");
  CHECK(script.find("completion for some-tool.") != std::string::npos);
  CHECK(script.find("@PROGRAM@") == std::string::npos);
  CHECK(script.find(completion_command) != std::string::npos);
  CHECK(completion_script("tcsh", "some-tool").empty());
}
