#include "clustersim/scenario_yaml.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "clustersim/names.hpp"
#include "support/catch.hpp"

using namespace lvs::clustersim;
namespace fs = std::filesystem;
namespace strictyaml = lvs::strictyaml;

namespace {

std::string text_of_file(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::vector<fs::path> yaml_files(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator{LVS_SOURCE_DIR "/" + folder}) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

CheckedScenario valid(const fs::path& path) {
  auto checked = scenario_from_yaml(text_of_file(path), path.filename());
  if (!checked) FAIL(strictyaml::string_from_problems(checked.error()));
  return *std::move(checked);
}

const fs::path golden = LVS_SOURCE_DIR "/tests/golden/scenario";

}  // namespace

TEST_CASE("scenario: every bad file says all that is wrong with it") {
  const auto files = yaml_files("tests/golden/scenario");
  CHECK(files.size() >= 15);
  for (const auto& file : files) {
    INFO(file);
    const auto checked = scenario_from_yaml(text_of_file(file), file.filename());
    const std::string said = checked
                                 ? "valid\n" + strictyaml::string_from_problems(checked->warnings)
                                 : strictyaml::string_from_problems(checked.error());
    CHECK(said == text_of_file(fs::path{file}.replace_extension(".txt")));
  }
}

TEST_CASE("scenario: a typical file is read as it is written") {
  const auto [scenario, warnings] = valid(golden / "typical.yaml");
  CHECK(warnings.empty());
  Scenario expected;
  expected.name = "hetero-70";
  expected.scheduler = "wlc";
  expected.load = 0.7;
  expected.request = {0.020, Distribution::lognormal, 1.5};
  expected.burst = {0.5, 5};
  const Server slow{1, 4, 10, 0.3, 0.002};
  const Server fast{4, 4, 10, 0.3, 0.002};
  expected.servers = {slow, slow, fast, fast};
  expected.events = {
      {.at_s = 100, .over_s = 200, .server = 2, .memory_used = 0.9},
      {.at_s = 150, .server = 0, .background = 0.6},
      {.at_s = 200, .server = 3, .agent_answers = false},
      {.at_s = 250, .server = 3, .weight = 0},
      {.at_s = 300, .server = 1, .speed = 0.4},
      {.at_s = 350, .server = 0, .up = false},
  };
  expected.strategies = {"capacity", "headroom",    "feedback",    "response", "linear",
                         "equal",    "clairvoyant", "best-static", "jsq"};
  CHECK(scenario == expected);
}

TEST_CASE("scenario: every key reaches its value") {
  const auto [scenario, warnings] = valid(golden / "everything.yaml");
  CHECK(warnings.empty());
  Scenario expected;
  expected.name = "every key";
  expected.scheduler = "sed";
  expected.duration_s = 600;
  expected.warmup_s = 0;
  expected.seeds = {7, 0};
  expected.interval_s = 0.5;
  expected.arrivals_per_s = 2;
  expected.request = {0.0005, Distribution::fixed, RequestCost{}.sigma};
  expected.classes = {{0.95, 0.010}, {0.05, 0.800}};
  expected.burst = {0.5, 3};
  expected.wave = {0.4, 300};
  expected.patience_s = 10;
  expected.persistence_s = 60;
  expected.clients = 50;
  expected.keepalive = {10, 1.5};
  expected.second_service =
      SecondService{0.25, "wrr", {0.040, Distribution::lognormal, 0.5}, {1, 2}};
  expected.agents = {0.020, 0.1, false};
  expected.servers = {{0.5, 8, 3, 0.1, 0, 12}, {}, {}};
  expected.events = {
      {.at_s = 60,
       .server = 0,
       .background = 0.6,
       .speed = 0.4,
       .memory_used = 0.8,
       .agent_answers = false,
       .weight = 0,
       .up = false},
      {.at_s = 90, .server = 0, .agent_answers = true, .up = true},
      {.at_s = 100, .request_mean_s = 2},
      {.at_s = 500, .over_s = 50, .load = 0.9},
  };
  expected.strategies = {"static", "qps-over-utilisation"};
  CHECK(scenario == expected);
}

TEST_CASE("scenario: a file without a name lends its own") {
  const std::string text = "load: 0.5\nservers: [{}]\n";
  CHECK(scenario_from_yaml(text, "bench/ramp.yaml")->scenario.name == "ramp");
  CHECK(scenario_from_yaml(text, "ramp.yml")->scenario.name == "ramp");
  CHECK(scenario_from_yaml(text, "-")->scenario.name == "-");
  CHECK(scenario_from_yaml(text, ".yaml")->scenario.name == ".yaml");
}

TEST_CASE("scenario: what a file leaves out is the default") {
  Scenario expected;
  expected.name = "x";
  expected.load = 0.5;
  expected.servers = {Server{}};
  CHECK(scenario_from_yaml("load: 0.5\nservers: [{}]\n", "x")->scenario == expected);
}

TEST_CASE("scenario: the second service takes its requests from the first") {
  const auto checked = scenario_from_yaml(
      "load: 0.5\nrequest: {mean: 7ms}\nservers: [{}]\nsecond_service: {share: 0.5}\n", "x");
  REQUIRE(checked.has_value());
  CHECK(checked->scenario.second_service->request.mean_s == 0.007);
  CHECK(checked->scenario.second_service->servers.empty());
}

TEST_CASE("scenario: every strategy name may be written and no other") {
  for (const auto& name : strategy_names()) {
    INFO(name);
    const auto checked =
        scenario_from_yaml("load: 0.5\nservers: [{}]\nstrategies: [" + name + "]\n", "x");
    REQUIRE(checked.has_value());
    CHECK(checked->scenario.strategies == std::vector<std::string>{name});
  }
}

TEST_CASE("scenario: every shipped scenario is valid and says what it shows") {
  const auto files = yaml_files("bench/scenarios");
  CHECK(files.size() >= 20);
  std::set<std::string> names;
  for (const auto& file : files) {
    INFO(file);
    const auto [scenario, warnings] = valid(file);
    CHECK(strictyaml::string_from_problems(warnings).empty());
    CHECK(scenario.name == file.stem());
    CHECK(names.insert(scenario.name).second);
    CHECK(text_of_file(file).starts_with("# "));
  }
}

namespace {

void collect_keys(const strictyaml::Node& node, std::set<std::string>& keys) {
  for (const auto& item : node.is_sequence() ? node.items() : std::vector<strictyaml::Node>{})
    collect_keys(item, keys);
  if (!node.is_map()) return;
  for (const auto& [key, value] : node.entries()) {
    keys.insert(*key.as_string());
    collect_keys(value, keys);
  }
}

}  // namespace

TEST_CASE("scenario: the documentation names every key and every strategy") {
  const std::string page = text_of_file(LVS_SOURCE_DIR "/docs/SIMULATOR.md");
  const strictyaml::Document document{text_of_file(golden / "everything.yaml"), "everything.yaml"};
  std::set<std::string> words{strategy_names().begin(), strategy_names().end()};
  words.insert(scheduler_names().begin(), scheduler_names().end());
  words.insert({"load", "count"});
  collect_keys(document.root(), words);
  CHECK(words.size() > 50);
  for (const std::string& word : words) {
    INFO(word);
    CHECK(page.find("`" + word + "`") != std::string::npos);
  }
}
