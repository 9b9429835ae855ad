// `monitorctl simulate` from files to files, in this process.

#include <boost/json.hpp>
#include <string>

#include "monitorctl/commands.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::text_of;
using lvs::monitorctl::testing::write_text;
using lvs::testing::ScratchFolder;

namespace {

constexpr auto short_scenario =
    "duration: 30s\n"
    "warmup: 4s\n"
    "seeds: [1, 2]\n"
    "load: 0.5\n"
    "servers: [{count: 2, speed: 1}, {speed: 2}]\n"
    "strategies: [capacity, equal]\n";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("simulate: a file that is not there ends with 1 and one with mistakes with 78") {
  const ScratchFolder directory;
  SimulateOptions options;
  options.files = {directory.file("none.yaml")};
  const auto missing = run(options);
  CHECK(missing.status == 1);
  CHECK(missing.err == "monitorctl: " + options.files[0] + ": No such file or directory\n");
  options.files = {directory.file("bad.yaml"), directory.file("none.yaml")};
  write_text(options.files[0], "load: 0.5\nserver: []\n");
  const auto bad = run(options);
  CHECK(bad.status == 78);
  CHECK(bad.out.empty());
  CHECK(bad.err.find(options.files[0] + ":2:1: error: unknown key \"server\"") !=
        std::string::npos);
  CHECK(holds(bad.err, "none.yaml: No such file"));
}

TEST_CASE("simulate: a directory is no scenario") {
  const ScratchFolder directory;
  SimulateOptions options;
  options.files = {directory.file(".")};
  const auto printed = run(options);
  CHECK(printed.status == 1);
  CHECK(holds(printed.err, "Is a directory"));
}

TEST_CASE("simulate: a bad monitord.yaml ends with 78") {
  const ScratchFolder directory;
  SimulateOptions options;
  options.files = {directory.file("a.yaml")};
  options.config = directory.file("monitord.yaml");
  write_text(options.files[0], short_scenario);
  write_text(options.config, "defaults: {boundary: x}\n");
  const auto printed = run(options);
  CHECK(printed.status == 78);
  CHECK(holds(printed.err, "monitord.yaml:1:"));
}

TEST_CASE("simulate: two scenarios of one name are refused") {
  const ScratchFolder directory;
  SimulateOptions options;
  options.files = {directory.file("a.yaml"), directory.file("b.yaml")};
  write_text(options.files[0], short_scenario);
  write_text(options.files[1], std::string(short_scenario) + "name: a\n");
  const auto printed = run(options);
  CHECK(printed.status == 1);
  CHECK(holds(printed.err, "the name a is taken"));
}

TEST_CASE("simulate: the number of jobs changes nothing in the results") {
  const ScratchFolder directory;
  SimulateOptions options;
  options.files = {directory.file("a.yaml")};
  options.output = OutputFormat::json;
  options.choice.schedulers = {"wrr", "wlc", "sed"};
  write_text(options.files[0], short_scenario);
  options.jobs = 1;
  const auto alone = run(options);
  options.jobs = 4;
  const auto together = run(options);
  CHECK(alone.status == 0);
  CHECK(alone.err.empty());
  CHECK(alone == together);
  const auto results = boost::json::parse(alone.out).at("results").as_array();
  CHECK(results.size() == 6);
  for (const auto& result : results)
    CHECK(result.at("mean_ms").to_number<double>() > 0);
}

TEST_CASE("simulate: coefficients come from the configuration") {
  const ScratchFolder directory;
  SimulateOptions options;
  options.files = {directory.file("a.yaml")};
  options.choice.strategies = {"headroom"};
  options.output = OutputFormat::json;
  write_text(options.files[0], short_scenario);
  const auto usual = run(options);
  options.config = directory.file("monitord.yaml");
  write_text(options.config, "defaults: {weights: {min: 3, max: 3}}\n");
  const auto fixed = run(options);
  CHECK(fixed.status == 0);
  CHECK(usual.out != fixed.out);
}

TEST_CASE("simulate: the picture is written beside the table") {
  const ScratchFolder directory;
  SimulateOptions options;
  options.files = {directory.file("a.yaml")};
  options.plot = directory.file("a.svg");
  options.choice.seeds = 1;
  write_text(options.files[0], short_scenario);
  const auto printed = run(options);
  CHECK(printed.status == 0);
  CHECK(holds(printed.out, "capacity"));
  const auto svg = text_of(options.plot);
  CHECK(holds(svg, "<svg"));
  CHECK(holds(svg, ">capacity</text>"));
  options.plot = directory.file("nowhere/a.svg");
  const auto failed = run(options);
  CHECK(failed.status == 1);
  CHECK(failed.out == printed.out);
  CHECK(holds(failed.err, "No such file"));
}
