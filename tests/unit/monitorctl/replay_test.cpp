// `monitorctl replay`: files in, texts and exit status out. What is decided is tested with replay.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitorctl/commands.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::text_of;
using lvs::monitorctl::testing::write_text;
using lvs::testing::ScratchFolder;

namespace {

struct Result {
  int status{};
  std::string out{}, err{};
};

Result replay(const ReplayOptions& options) {
  std::string out;
  const auto printed = run(options, [&out](std::string_view text) {
    out += text;
    return true;
  });
  CHECK(printed.out.empty());
  return {printed.status, out, printed.err};
}

std::string golden_path(const std::string& name) {
  return LVS_SOURCE_DIR "/tests/golden/replay/" + name;
}

ReplayOptions options_for(std::vector<std::string> files) {
  return {.files = std::move(files), .config_file = golden_path("headroom.yaml")};
}

}  // namespace

TEST_CASE("replay: a file that is not there ends with 1") {
  auto options = options_for({"/nonexistent/night.jsonl"});
  auto result = replay(options);
  CHECK(result.status == 1);
  CHECK(result.err == "monitorctl: /nonexistent/night.jsonl: No such file or directory\n");
  options.files = {golden_path("evening.jsonl")};
  options.config_file = "/nonexistent/other.yaml";
  result = replay(options);
  CHECK(result.status == 1);
  CHECK(result.out.empty());
  CHECK(result.err == "monitorctl: /nonexistent/other.yaml: No such file or directory\n");
  options.config_file = "/";
  CHECK(replay(options).status == 1);
}

TEST_CASE("replay: a configuration with a mistake ends with 78 and shows it") {
  const ScratchFolder directory;
  auto options = options_for({golden_path("evening.jsonl")});
  options.config_file = directory.file("other.yaml");
  write_text(options.config_file, "interval: 2\n");
  const auto result = replay(options);
  CHECK(result.status == 78);
  CHECK(result.out.empty());
  CHECK(result.err.find(options.config_file + ":1:11: error: ") == 0);
}

TEST_CASE("replay: a recording of one cycle is one cycle") {
  const ScratchFolder directory;
  const auto evening = text_of(golden_path("evening.jsonl"));
  write_text(directory.file("one.jsonl"), evening.substr(0, evening.find('\n') + 1));
  CHECK(replay(options_for({directory.file("one.jsonl")})).out.starts_with("1 cycle in "));
}

TEST_CASE("replay: a broken line ends with 78 after what stands before it") {
  const ScratchFolder directory;
  const auto path = directory.file("night.jsonl");
  const auto whole = golden("replay/evening.jsonl");
  const auto first = whole.substr(0, whole.find('\n') + 1);
  write_text(path, first + "{\"t\":1.0}\n" + first);
  auto options = options_for({path});
  options.output = OutputFormat::json;
  const auto result = replay(options);
  CHECK(result.status == 78);
  CHECK(result.err.find(path + ":2:1: error: \"services\" is missing\n      hint: ") == 0);
  const auto verdicts = golden("replay/evening.verdicts.jsonl");
  CHECK(result.out == verdicts.substr(0, verdicts.find('\n') + 1));
}

TEST_CASE("replay: json and text of a recording whose last line was cut off") {
  auto options = options_for({golden_path("evening.jsonl")});
  const auto warning = golden_path("evening.jsonl") +
                       ":11:61: warning: the last line is cut off: "
                       "it is left out\n";
  auto result = replay(options);
  CHECK(result.status == 0);
  CHECK(result.err == warning);
  CHECK(result.out == golden("replay/evening.summary.txt"));
  options.changes = true;
  CHECK(replay(options).out ==
        golden("replay/evening.changes.txt") + golden("replay/evening.summary.txt"));
  options.output = OutputFormat::json;
  result = replay(options);
  CHECK(result.status == 0);
  CHECK(result.out == golden("replay/evening.verdicts.jsonl"));
}

TEST_CASE("replay: rotated files are one recording from the oldest to the newest") {
  const ScratchFolder directory;
  const auto whole = golden("replay/evening.jsonl");
  auto half = whole.find('\n', whole.size() / 2) + 1;
  write_text(directory.file("night.1"), whole.substr(0, half));
  write_text(directory.file("night"), whole.substr(half));
  auto options = options_for({directory.file("night.1"), directory.file("night")});
  CHECK(replay(options).out == golden("replay/evening.summary.txt"));
  options.files = {directory.file("night"), directory.file("night.1")};
  const auto result = replay(options);
  CHECK(result.status == 78);
  CHECK(result.err.find("does not come after") != std::string::npos);
}

TEST_CASE("replay: output that cannot be written ends it with 1") {
  const auto printed =
      run(options_for({golden_path("evening.jsonl")}), [](std::string_view) { return false; });
  CHECK(printed.status == 1);
}
