#include "bench/results_json.hpp"

#include <string>
#include <vector>

#include "clustersim/summary.hpp"
#include "monitorctl/simulation_report.hpp"
#include "support/catch.hpp"

using lvs::bench::summaries_from_json;
using lvs::clustersim::Figures;
using lvs::clustersim::Summary;

TEST_CASE("results: what is no result of a simulation is an error") {
  const auto* const text = GENERATE("", "{", "[]", "{}", R"({"results": {}})",
                                    R"({"results": [1]})", R"({"results": [{"scenario": "x"}]})");
  INFO(text);
  const auto read = summaries_from_json(text);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().find("no results of monitorctl simulate: ") == 0);
}

TEST_CASE("results: what monitorctl prints is read again") {
  const Figures first{7, 20.5, 11.25, 60, 80, 1000, 0, 3, 0.25, 12, 2, 0.01};
  const Figures second{8, 30.5, 12.25, 70, 90, 1001, 2, 4, 0.5, 14, 4, 0.02};
  const std::vector<Summary> summaries{
      {"ramp", "wrr", "capacity", lvs::clustersim::medians_of({first, second}), {first, second}},
      {"ramp", "wrr", "equal", first, {first}}};
  auto expected = summaries;
  for (auto& summary : expected)
    summary.medians.seed = 0;
  const auto read = summaries_from_json(lvs::monitorctl::simulation_json(summaries));
  REQUIRE(read.has_value());
  CHECK(*read == expected);
}
