#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "monitorctl/parallel.hpp"
#include "monitorctl/simulation_plan.hpp"
#include "monitorctl/simulation_report.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::clustersim::Figures;
using lvs::clustersim::Scenario;
using lvs::clustersim::Summary;
using lvs::monitorctl::testing::golden;

namespace {

std::vector<Scenario> two_scenarios() {
  Scenario ramp;
  ramp.name = "ramp";
  ramp.scheduler = "wlc";
  ramp.seeds = {7, 3};
  ramp.load = 0.7;
  ramp.servers.resize(6);
  ramp.strategies = {"capacity", "equal"};
  Scenario tiny;
  tiny.name = "tiny";
  tiny.seeds = {1};
  tiny.arrivals_per_s = 0.5;
  tiny.servers.resize(1);
  tiny.strategies = {"jsq"};
  return {ramp, tiny};
}

Summary summary_of(std::string scenario, std::string scheduler, std::string strategy,
                   const std::vector<Figures>& runs) {
  return {std::move(scenario), std::move(scheduler), std::move(strategy),
          lvs::clustersim::medians_of(runs), runs};
}

std::vector<Summary> some_summaries() {
  const Figures one{7, 41.6, 20, 120.5, 310.25, 1000, 0, 3, 0.25, 12, 2, 0.01, {}};
  const Figures other{3, 1040, 30, 5210.5, 22'645.4, 1000, 3, 120, 0, 0, 2, 0.22, {700, 180}};
  return {summary_of("ramp", "wlc", "capacity", {one, one}),
          summary_of("ramp", "wlc", "equal", {other, other}),
          summary_of("ramp", "sed", "capacity", {one, one}),
          summary_of("tiny", "wrr", "qps-over-utilisation", {one})};
}

}  // namespace

TEST_CASE("simulation: a scenario says what is run and the command line overrides it") {
  const auto [choice, expected] = GENERATE(table<SimulationChoice, std::vector<SimulationTask>>({
      {{},
       {{0, "wlc", "capacity", 7},
        {0, "wlc", "capacity", 3},
        {0, "wlc", "equal", 7},
        {0, "wlc", "equal", 3},
        {1, "wrr", "jsq", 1}}},
      {SimulationChoice{{"sed", "wrr"}, {"static"}, 1},
       {{0, "sed", "static", 1},
        {0, "wrr", "static", 1},
        {1, "sed", "static", 1},
        {1, "wrr", "static", 1}}},
  }));
  CHECK(tasks_from(two_scenarios(), choice) == expected);
  CHECK(tasks_from({}, choice).empty());
}

TEST_CASE("simulation: runs that differ in the seed alone are one result") {
  const auto scenarios = two_scenarios();
  const auto tasks = tasks_from(scenarios, {});
  std::vector<Figures> figures(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    figures[i].seed = tasks[i].seed;
    figures[i].mean_ms = static_cast<double>(i);
  }
  const auto summaries = summaries_from(scenarios, tasks, figures);
  REQUIRE(summaries.size() == 3);
  CHECK(summaries[0].strategy == "capacity");
  CHECK(summaries[0].runs.size() == 2);
  CHECK(summaries[0].medians.mean_ms == 0.5);
  CHECK(summaries[1].medians.mean_ms == 2.5);
  CHECK(summaries[2].scenario == "tiny");
  CHECK(summaries[2].scheduler == "wrr");
  CHECK(summaries[2].runs == std::vector{figures[4]});
}

TEST_CASE("simulation: the ratio is to equal weights in the same table") {
  const auto summaries = some_summaries();
  CHECK(ratio_to_equal(summaries[0], summaries) == 0.04);
  CHECK(ratio_to_equal(summaries[1], summaries) == 1.0);
  CHECK_FALSE(ratio_to_equal(summaries[2], summaries).has_value());
  CHECK_FALSE(ratio_to_equal(summaries[3], summaries).has_value());
}

TEST_CASE("simulation: equal weights that finish nothing are no measure") {
  auto summaries = some_summaries();
  summaries[1].medians.mean_ms = 0;
  CHECK_FALSE(ratio_to_equal(summaries[0], summaries).has_value());
}

TEST_CASE("simulation: the table for people is the golden one") {
  CHECK(simulation_text(some_summaries(), two_scenarios()) == golden("monitorctl/simulate.txt"));
  CHECK(simulation_text({}, {}).empty());
}

TEST_CASE("simulation: JSON has every figure by its name") {
  const auto document = boost::json::parse(simulation_json(some_summaries()));
  const auto& results = document.at("results").as_array();
  REQUIRE(results.size() == 4);
  const auto& first = results[0].as_object();
  CHECK(first.at("scenario") == "ramp");
  CHECK(first.at("scheduler") == "wlc");
  CHECK(first.at("strategy") == "capacity");
  const auto& equal = results[1].as_object();
  const auto figure = [&](const char* name) { return equal.at(name).to_number<double>(); };
  CHECK(figure("mean_ms") == 1040);
  CHECK(figure("p50_ms") == 30);
  CHECK(figure("p95_ms") == 5210.5);
  CHECK(figure("p99_ms") == 22'645.4);
  CHECK(figure("failed") == 3);
  CHECK(figure("writes_per_server_minute") == 0);
  CHECK(figure("settle_s") == 0);
  CHECK(figure("share_error") == 0.22);
  CHECK(figure("arrived") == 1000);
  CHECK(figure("unfinished") == 120);
  CHECK(figure("calm_s") == 2);
  CHECK(figure("ratio_to_equal") == 1);
  CHECK(equal.at("failed").is_int64());
  CHECK(results[2].at("ratio_to_equal").is_null());
  const auto& runs = equal.at("runs").as_array();
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].at("seed").to_number<std::uint64_t>() == 3);
  CHECK(runs[0].at("mean_ms").to_number<double>() == 1040);
  CHECK(boost::json::serialize(runs[0].at("answered_by_server")) == "[700,180]");
}

TEST_CASE("parallel: every item is worked on once and progress is counted") {
  const auto jobs = GENERATE(0U, 1U, 3U, 50U);
  constexpr std::size_t count = 40;
  std::vector<std::atomic<int>> worked(count);
  std::vector<std::size_t> progress;
  for_each_parallel(
      count, jobs, [&](std::size_t i) { ++worked[i]; },
      [&](std::size_t finished) { progress.push_back(finished); });
  CHECK(std::all_of(worked.begin(), worked.end(), [](const auto& times) { return times == 1; }));
  REQUIRE(progress.size() == count);
  CHECK(std::is_sorted(progress.begin(), progress.end()));
  CHECK(progress.back() == count);
}

TEST_CASE("parallel: nothing to do is done") {
  bool called = false;
  for_each_parallel(
      0, 4, [&](std::size_t) { called = true; }, [&](std::size_t) { called = true; });
  CHECK_FALSE(called);
}

TEST_CASE("parallel: a failure ends the work and is told") {
  std::atomic<int> worked{0};
  const auto work = [&](std::size_t i) {
    ++worked;
    if (i == 3) throw std::runtime_error("three");
  };
  CHECK_THROWS_WITH(for_each_parallel(1'000'000, 2, work, [](std::size_t) {}), "three");
  CHECK(worked < 1'000'000);
}
