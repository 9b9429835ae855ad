// The pairs of trees in tests/fixtures/proc, through the library and through the program.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "agentproto/reading.hpp"
#include "realserver-agent/root.hpp"
#include "realserver-agent/sampler.hpp"
#include "realserver-agent/snapshot_reader.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs::agent;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const fs::path fixtures = fs::path{LVS_SOURCE_DIR} / "tests/fixtures/proc";

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream{file}.rdbuf();
  return text.str();
}

std::vector<fs::path> all_cases() {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator{fixtures}) {
    if (entry.is_directory()) cases.push_back(entry.path());
  }
  return cases;
}

/// The intr line of 300000 numbers (600 kB) that the fixture stands for.
void lengthen_intr_line(const fs::path& stat) {
  std::string text = text_of(stat);
  const auto end = text.find('\n', text.find("\nintr ") + 1);
  std::string numbers;
  for (int i = 0; i < 300000; ++i)
    numbers += " 0";
  text.insert(end, numbers);
  std::ofstream{stat} << text;
}

/// A copy of a case, complete.
struct Case {
  explicit Case(const fs::path& source)
      : expected{json::parse(text_of(source / "expected.json")).as_object()} {
    fs::copy(source, tree.path(), fs::copy_options::recursive);
    if (!source.filename().string().starts_with("10-")) return;
    for (const auto& moment : {before(), after()}) {
      lengthen_intr_line(fs::path{moment} / "proc/stat");
    }
  }
  [[nodiscard]] std::string before() const { return tree.file("before"); }
  [[nodiscard]] std::string after() const { return tree.file("after"); }

  void check(const char* measure, const std::optional<double>& value) const {
    const auto* const wanted = expected.if_contains(measure);
    if (wanted == nullptr) return;
    INFO(measure);
    if (wanted->is_null()) {
      CHECK_FALSE(value.has_value());
    } else {
      REQUIRE(value.has_value());
      CHECK(*value == Approx(wanted->to_number<double>())
                          .margin(expected.at("tolerance").to_number<double>())
                          .epsilon(0));
    }
  }

  lvs::testing::ScratchFolder tree{};
  json::object expected;
};

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
    text += static_cast<char>(c);
  REQUIRE(::pclose(pipe) == 0);
  return text;
}

std::optional<double> number_at(const json::object& object, const char* key) {
  const json::value& value = object.at(key);
  return value.is_null() ? std::nullopt : std::optional{value.to_number<double>()};
}

}  // namespace

TEST_CASE("fixtures: there are as many as are described") {
  CHECK(all_cases().size() == 18);
}

TEST_CASE("fixtures: the library gives the expected measures") {
  for (const fs::path& source : all_cases()) {
    CAPTURE(source.filename().string());
    const Case pair{source};
    Sampler sampler{100};
    const auto before = sampler.take(read_snapshot(Root{pair.before()}, ""));
    const auto after = sampler.take(read_snapshot(Root{pair.after()}, ""));
    const auto measured = lvs::agentproto::measured_from_samples(before, after);
    pair.check("cpu_busy", measured.cpu_busy);
    pair.check("mem_available", measured.mem_available);
  }
}

TEST_CASE("fixtures: the program prints the expected measures") {
  for (const fs::path& source : all_cases()) {
    CAPTURE(source.filename().string());
    const Case pair{source};
    const auto printed =
        json::parse(output_of(std::string{LVS_REALSERVER_AGENT} + " reading --before " +
                              pair.before() + " --after " + pair.after()))
            .as_object();
    const auto cpu_busy = number_at(printed, "cpu_busy");
    const auto mem_available = number_at(printed, "mem_available");
    pair.check("cpu_busy", cpu_busy);
    pair.check("mem_available", mem_available);
    CHECK(printed.contains("reason") == (!cpu_busy || !mem_available));
  }
}

TEST_CASE("fixtures: the program reads the running system") {
  const auto printed =
      json::parse(output_of(std::string{LVS_REALSERVER_AGENT} + " reading --interval 100ms"))
          .as_object();
  CHECK(number_at(printed, "interval_s").value() >= 0.1);
  CHECK(number_at(printed, "mem_available").has_value());
  CHECK(number_at(printed, "processes").value() >= 1);
  CHECK(number_at(printed, "load_per_cpu").value() >= 0);
  CHECK_FALSE(printed.contains("response_s"));
  for (const auto& measure : lvs::loadcalc::agent_measures)
    CHECK(printed.contains(measure.name));
}
