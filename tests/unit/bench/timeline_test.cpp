#include "bench/timeline.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"

using lvs::bench::plot_groups_from_results;

namespace {

std::string result(const std::string& name, const std::string& scheduler) {
  return R"({"group": "neighbour", "load": 55, "name": ")" + name + R"(", "scheduler": ")" +
         scheduler +
         R"(", "seconds": 90, "from": 30, "speeds": [100, 50], "percents": [20, 10],
             "limits": [{"at": 55, "server": 1, "percent": 20}, {"at": 20, "server": 1, "percent": 10}],
             "mean_ms": 12.5, "p99_ms": 80, "failed": 3, "writes": 4,
             "series": [{"at": 2, "mean_ms": 10, "failed": 0, "weights": [10, 11]}]})";
}

/// A result is a line.
std::string in_one_line(std::string text) {
  std::erase(text, '\n');
  return text + "\n";
}

}  // namespace

TEST_CASE("timeline: what is no result of lab/measure is an error") {
  const auto* const text = GENERATE("{", "[]", "{}", R"({"scheduler": "wrr"})");
  INFO(text);
  const auto groups = plot_groups_from_results(text);
  REQUIRE_FALSE(groups.has_value());
  CHECK(groups.error().find("no results of lab/measure: ") == 0);
}

TEST_CASE("timeline: as many weights as servers") {
  auto text = in_one_line(result("wrr-equal", "wrr"));
  text.replace(text.find("[10, 11]"), 8, "[10]");
  CHECK_FALSE(plot_groups_from_results(text).has_value());
}

TEST_CASE("timeline: no results are no groups") {
  const auto groups = plot_groups_from_results("");
  REQUIRE(groups.has_value());
  CHECK(groups->empty());
}

TEST_CASE("timeline: a group for each scheduler, a run for each result") {
  const auto groups = plot_groups_from_results(in_one_line(result("wrr-equal", "wrr")) +
                                               in_one_line(result("sed-equal", "sed")) +
                                               in_one_line(result("wrr-capacity", "wrr")));
  REQUIRE(groups.has_value());
  REQUIRE(groups->size() == 2);
  const auto& wrr = groups->front();
  CHECK(wrr.scenario.name == "neighbour, 55 % load");
  CHECK(wrr.scenario.duration_s == 90);
  REQUIRE(wrr.scenario.servers.size() == 2);
  CHECK(wrr.scenario.servers[1].speed == 0.5);
  REQUIRE(wrr.runs.size() == 2);
  const auto& run = wrr.runs[1];
  CHECK(run.strategy == "wrr-capacity");
  CHECK(run.failed == 3);
  CHECK(run.writes_per_server_minute == 2);
  REQUIRE(run.series.size() == 1);
  CHECK(run.series[0].weights == std::vector<std::uint32_t>{10, 11});
  CHECK((*groups)[1].runs.size() == 1);
}

TEST_CASE("timeline: limits are events in the order of time") {
  const auto groups = plot_groups_from_results(in_one_line(result("wrr-equal", "wrr")));
  REQUIRE(groups.has_value());
  const auto& events = groups->front().scenario.events;
  REQUIRE(events.size() == 2);
  CHECK(events[0].at_s == 20);
  CHECK(events[0].server == 0U);
  CHECK(events[0].speed == 0.5);
  CHECK(events[1].speed == 1);
}
