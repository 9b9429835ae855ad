#include "bench/bars.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "bench/bars_report.hpp"
#include "support/catch.hpp"

using namespace lvs::bench;
using lvs::clustersim::Figures;
using lvs::clustersim::Summary;

namespace {

Summary result(std::string scenario, std::string scheduler, std::string strategy, double mean_ms,
               double p99_ms = 100) {
  Summary summary{std::move(scenario), std::move(scheduler), std::move(strategy), {}, {}};
  summary.medians.mean_ms = mean_ms;
  summary.medians.p99_ms = p99_ms;
  return summary;
}

/// The checks of one bar.
std::vector<Check> of_bar(const std::vector<Check>& checks, const std::string& bar) {
  std::vector<Check> found;
  std::copy_if(checks.begin(), checks.end(), std::back_inserter(found),
               [&](const Check& check) { return check.bar == bar; });
  return found;
}

const Traits plain{.stationary = true, .unequal = true, .equal_bases = true};

}  // namespace

TEST_CASE("bars: what was not run is not reached") {
  const auto checks = checks_from({}, {{"hetero", plain}});
  CHECK(checks.size() > 10);
  CHECK(std::none_of(checks.begin(), checks.end(), is_reached));
  CHECK(std::none_of(checks.begin(), checks.end(), [](const Check& c) { return bool(c.value); }));
}

TEST_CASE("bars: a run in which nothing ended is compared with nothing") {
  const auto checks =
      checks_from({result("hetero", "wrr", "capacity", 0), result("hetero", "wrr", "equal", 10),
                   result("hetero", "wlc", "capacity", 10), result("hetero", "wlc", "equal", 0)},
                  {{"hetero", plain}});
  for (const Check& check : of_bar(checks, "mean / equal")) {
    CHECK_FALSE(check.value.has_value());
  }
}

TEST_CASE("bars: no scenarios make no bars but the sums") {
  const auto checks = checks_from({}, {});
  CHECK(checks.size() == 6);
  CHECK(std::none_of(checks.begin(), checks.end(), is_reached));
}

TEST_CASE("bars: limits are reached when met and missed when passed") {
  CHECK(is_reached({"", "", "", 1.03, 1.03, false}));
  CHECK_FALSE(is_reached({"", "", "", 1.0301, 1.03, false}));
  CHECK_FALSE(is_reached({"", "", "", 1, 1, true}));
  CHECK(is_reached({"", "", "", 0.999, 1, true}));
  CHECK_FALSE(is_reached({"", "", "", {}, 1, false}));
}

TEST_CASE("bars: capacity is compared with equal in the same scenario and scheduler") {
  const auto checks =
      checks_from({result("a", "wrr", "capacity", 12, 110), result("a", "wrr", "equal", 10, 100),
                   result("a", "sed", "capacity", 9, 100), result("a", "sed", "equal", 10, 100),
                   result("b", "wrr", "capacity", 1, 1), result("b", "wrr", "equal", 100, 100)},
                  {{"a", plain}, {"b", plain}});
  const auto means = of_bar(checks, "mean / equal");
  REQUIRE(means.size() == 6);
  CHECK(means[0] == Check{"mean / equal", "a", "wrr", 1.2, 1.03, false});
  CHECK_FALSE(means[1].value.has_value());
  CHECK(means[2] == Check{"mean / equal", "a", "sed", 0.9, 1.03, false});
  CHECK(means[3] == Check{"mean / equal", "b", "wrr", 0.01, 1.03, false});
  const auto p99 = of_bar(checks, "p99 / equal");
  REQUIRE(p99.size() == 6);
  CHECK(p99[0] == Check{"p99 / equal", "a", "wrr", 1.1, 1.08, false});
}

TEST_CASE("bars: kinds of scenarios meet the bars that are meant for them") {
  const auto count = [](const Traits& traits, const std::string& bar) {
    return of_bar(checks_from({}, {{"x", traits}}), bar).size();
  };
  const Traits equal{.stationary = true, .equal_bases = true};
  const Traits disturbed{.disturbed = true, .unequal = true, .equal_bases = true};
  CHECK(count(plain, "mean / best-static (stationary)") == 3);
  CHECK(count(disturbed, "mean / best-static (stationary)") == 0);
  CHECK(count(plain, "mean / clairvoyant (stationary, unequal)") == 1);
  CHECK(count(equal, "mean / clairvoyant (stationary, unequal)") == 0);
  CHECK(count(plain, "mean / best-static (disturbed)") == 0);
  CHECK(count(disturbed, "mean / best-static (disturbed)") == 3);
  CHECK(count(disturbed, "p99 / jsq (disturbed)") == 2);
  CHECK(count(plain, "p99 / jsq (disturbed)") == 0);
  CHECK(count(plain, "writes per server and minute") == 3);
  CHECK(count(disturbed, "writes per server and minute") == 0);
  CHECK(count(plain, "seconds to the right shares") == 1);
  CHECK(count(equal, "seconds to the right shares") == 0);
  CHECK(count({.start_counts = true}, "seconds out of the overload") == 3);
  CHECK(count(plain, "seconds out of the overload") == 0);
  CHECK(count(plain, "mean, best scheduler / sed + equal") == 0);
  CHECK(count({.persistent = true}, "mean, best scheduler / sed + equal") == 1);
}

TEST_CASE("bars: the best scheduler with capacity is compared with sed and equal weights") {
  const auto checks =
      checks_from({result("x", "wrr", "capacity", 9), result("x", "wlc", "capacity", 7),
                   result("x", "sed", "capacity", 8), result("x", "wrr", "equal", 1),
                   result("x", "sed", "equal", 10), result("x", "sed", "jsq", 6),
                   result("x", "wlc", "clairvoyant", 5)},
                  {{"x", Traits{.neighbour = true}}});
  const auto found = of_bar(checks, "mean, best scheduler / sed + equal");
  REQUIRE(found.size() == 1);
  CHECK(found[0] == Check{found[0].bar, "x", "wlc", 0.7, 0.8, false, 0.5});
  CHECK(is_reached(found[0]));
}

TEST_CASE("bars: sums are over all scenarios or worth nothing") {
  std::vector<Summary> results{
      result("a", "wrr", "capacity", 10, 50), result("a", "wrr", "qps-over-utilisation", 11, 40),
      result("b", "wrr", "capacity", 20, 50), result("b", "wrr", "qps-over-utilisation", 49, 40)};
  const ScenarioTraits traits{{"a", {}}, {"b", {}}};
  const auto means = of_bar(checks_from(results, traits), "mean / qps-over-utilisation (sum)");
  REQUIRE(means.size() == 3);
  CHECK(means[0].value == 0.5);
  CHECK(is_reached(means[0]));
  CHECK_FALSE(means[1].value.has_value());
  const auto p99 = of_bar(checks_from(results, traits), "p99 / qps-over-utilisation (sum)");
  CHECK(p99[0].value == 1.25);
  results.pop_back();
  const auto fewer = of_bar(checks_from(results, traits), "mean / qps-over-utilisation (sum)");
  CHECK_FALSE(fewer[0].value.has_value());
}

TEST_CASE("bars: writes may be more with bursts and less with next to no traffic") {
  const auto limit = [](const Traits& traits) {
    return of_bar(checks_from({}, {{"x", traits}}), "writes per server and minute").at(0).limit;
  };
  CHECK(limit({.stationary = true}) == 0.3);
  CHECK(limit({.stationary = true, .bursts = true}) == 0.5);
  CHECK(limit({.stationary = true, .low_traffic = true}) == 0.2);
  Summary calm = result("x", "wlc", "capacity", 10);
  calm.medians.writes_per_server_minute = 0.25;
  const auto checks = of_bar(checks_from({calm}, {{"x", plain}}), "writes per server and minute");
  CHECK(checks[1].value == 0.25);
  CHECK(is_reached(checks[1]));
}

TEST_CASE("bars: the report names the worst and every miss") {
  const std::vector<Check> checks{{"mean / equal", "a", "wrr", 1.2, 1.03, false},
                                  {"mean / equal", "a", "sed", 0.9, 1.03, false},
                                  {"p99 / equal", "a", "wrr", 0.5, 1.08, false},
                                  {"mean / jsq", "b", "sed", {}, 1.2, false, 0.975}};
  CHECK(
      bars_text(checks) ==
      "miss  mean / equal                               <= 1.03    1 of 2    worst 1.200 (a, wrr)\n"
      "PASS  p99 / equal                                <= 1.08    1 of 1    worst 0.500 (a, wrr)\n"
      "miss  mean / jsq                                 <= 1.2     0 of 1    worst not run (b, "
      "sed)\n"
      "\n"
      "miss  mean / equal                               <= 1.03      1.200  a, wrr\n"
      "miss  mean / jsq                                 <= 1.2     not run  b, sed (an oracle "
      "reaches 0.975)\n"
      "\n"
      "2 of 4 bars reached\n");
  const auto json = bars_json(checks);
  CHECK(json.find(R"("reached":2,"checked":4)") != std::string::npos);
  CHECK(json.find(R"("verdict":"not_run")") != std::string::npos);
  CHECK(json.find(R"("verdict":"missed")") != std::string::npos);
}

TEST_CASE("bars: an overload that stays is none that one is out of") {
  const auto seconds = [](double ours_p50, double calm_p50) {
    Summary ours = result("x", "wrr", "capacity", 100);
    ours.medians.p50_ms = ours_p50;
    ours.medians.calm_s = 12;
    Summary calm = result("x", "wrr", "best-static", 20);
    calm.medians.p50_ms = calm_p50;
    const Traits traits{.start_counts = true, .duration_s = 600};
    return of_bar(checks_from({ours, calm}, {{"x", traits}}), "seconds out of the overload")
        .at(0)
        .value;
  };
  CHECK(seconds(20, 18) == 12);
  CHECK(seconds(54, 18) == 12);
  CHECK(seconds(30'000, 18) == 600);
  const auto alone = checks_from({result("x", "wrr", "capacity", 100)},
                                 {{"x", Traits{.start_counts = true, .duration_s = 600}}});
  CHECK_FALSE(of_bar(alone, "seconds out of the overload").at(0).value.has_value());
}
