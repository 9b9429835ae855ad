// Recorded services in tests/golden/advise and what is said of them.

#include <boost/json.hpp>
#include <string>
#include <utility>

#include "monitorctl/advice_report.hpp"
#include "monitorctl/advice_simulation.hpp"
#include "recorded_service.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::facts_of;
using lvs::monitorctl::testing::golden;

namespace {

ServiceFacts recorded(const std::string& name) {
  return facts_of(golden("advise/" + name + ".table"));
}

Advice with_figures(const std::string& name) {
  return advice_on(recorded(name), 0, [](std::size_t, std::size_t) {});
}

/// What a run of the simulator would say, for texts that need none.
Advice with_made_up_figures() {
  auto advice = advice_without_simulation(recorded("bursts"));
  AdviceSimulation simulation{{}, {"the servers can take 1:2:5"}, 0.6, 109.5, 365, 3};
  lvs::clustersim::Figures figures;
  figures.mean_ms = 98.25;
  figures.p95_ms = 310;
  figures.p99_ms = 1634;
  simulation.rows.push_back({{"wrr", {33, 79, 165}}, figures});
  figures.mean_ms = 9.4;
  figures.p95_ms = 22;
  figures.p99_ms = 41;
  simulation.rows.push_back({{"wrr", {2, 5, 10}}, figures});
  figures.mean_ms = 120;
  figures.failed = 3;
  simulation.rows.push_back({{"sed", {10, 10, 10}}, figures});
  advice.simulation = std::move(simulation);
  judge(advice);
  return advice;
}

}  // namespace

TEST_CASE("advise: recorded services and what is said of them") {
  const auto* const name =
      GENERATE("bursts", "past", "keepalive", "hash", "full", "nothing", "proc");
  INFO(name);
  CHECK(advice_text({with_figures(name)}) == golden(std::string("advise/") + name + ".txt"));
}

TEST_CASE("advise: without a simulation nothing is said of one") {
  CHECK(advice_text({advice_without_simulation(recorded("bursts")),
                     advice_without_simulation(recorded("nothing"))}) ==
        golden("advise/without-simulation.txt"));
}

TEST_CASE("advise: what the simulation does not bear out is not urged") {
  const auto advice = with_made_up_figures();
  CHECK(advice_text({advice}) == golden("advise/judged.txt"));
  REQUIRE(advice.findings.size() == 2);
  CHECK(advice.findings[0].id == "wrr_bursts");
  CHECK(advice.findings[1].severity == Severity::note);
}

TEST_CASE("advise: JSON has it all by its names") {
  const auto text =
      advice_json({with_made_up_figures(), advice_without_simulation(recorded("proc")),
                   advice_without_simulation(recorded("nothing"))});
  CHECK(text == golden("advise/advise.json"));
  const auto services = boost::json::parse(text).at("services").as_array();
  REQUIRE(services.size() == 3);
  const auto& finding = services[0].at("findings").at(0);
  CHECK(finding.at("id") == "wrr_bursts");
  CHECK(finding.at("proposal").at("weights").at("10.2.0.12:80").as_int64() == 5);
  CHECK(finding.at("simulated").at("outcome") == "better");
  CHECK(finding.at("simulated").at("row").as_int64() == 1);
  CHECK(services[0].at("simulation").at("rows").as_array().size() == 3);
  CHECK(services[1].at("connections_per_second").is_null());
  CHECK(services[1].at("simulation").is_null());
  CHECK(services[2].at("findings").as_array().empty());
  CHECK(services[2].at("nothing").is_string());
}
