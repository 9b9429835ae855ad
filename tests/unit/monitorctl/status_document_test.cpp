#include "monitorctl/status_document.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <tuple>

#include "monitord/control_protocol.hpp"
#include "monitord/report.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::destination_key;
using lvs::monitorctl::testing::service_key;
using lvs::monitorctl::testing::some_status;

namespace {

/// A report whose status document is some_status().
lvs::monitord::CycleReport some_report() {
  using namespace lvs::monitord;
  CycleReport report;
  report.version = "0.1.0";
  report.cycle = 4711;
  report.wall_time = 1700000000.5;
  report.dry_run = true;
  report.notes = {"1 agent is silent"};
  report.polls.sent = 12;
  report.interval = std::chrono::seconds{2};
  report.polls.answered = 10;
  report.polls.timeouts = 2;
  report.probes.sent = 8;
  report.probes.answered = 7;
  report.probes.timeouts = 1;
  report.writes = 3;
  report.suppressed = 40;
  report.failed_writes = 2;
  report.foreign_edits = 1;
  Verdict verdict;
  verdict.service = service_key("tcp:10.9.9.9:80");
  verdict.destination = destination_key("10.0.0.11:80");
  verdict.scheduler = "wrr";
  verdict.server = "web1";
  verdict.base = 100;
  verdict.current = 100;
  verdict.target = 88;
  verdict.write = 88;
  verdict.boundary = 5;
  verdict.reading = ReadingState::fresh;
  verdict.age_s = 0.84;
  verdict.cpu_busy = 0.75;
  verdict.mem_available = 0.5;
  verdict.composite = 0.35;
  verdict.input = 1.25;
  verdict.new_connections = 240;
  verdict.completed = 199.5;
  verdict.active = 7;
  verdict.inactive = 90;
  verdict.capacity = 133.5;
  verdict.correction = 0.875;
  verdict.further.network_utilisation = 0.125;
  verdict.further.processes = 214;
  verdict.further.io_pressure = 0.025;
  verdict.further.response_s = 0.0012;
  verdict.strategy = StrategyKind::capacity;
  verdict.ratio_exponent = 1;
  verdict.score = 0.25;
  verdict.terms = {{"CPU", 0.5, 0.5}};
  verdict.wish = 100;
  verdict.eased = 88;
  verdict.scaled = 88.25;
  verdict.note = "backlog: cut";
  verdict.outcome = Outcome::change;
  verdict.reason = "target 88 is 12 from 100, more than 5";
  report.verdicts = {verdict};
  report.applied = {
      {verdict.service, {verdict.destination, 100, 88, ""}, Applied::Result::dry_run, ""}};
  return report;
}

}  // namespace

TEST_CASE("status document: an answer that is none says so") {
  const auto [answer, error] = GENERATE(table<std::string, std::string>({
      {"", "monitord's answer is not understood: "},
      {"{", "monitord's answer is not understood: "},
      {"[]", "monitord's answer is not understood: not an object"},
      {"{}", "monitord's answer has neither a result nor an error"},
      {R"({"ok":true})", "monitord's answer has neither a result nor an error"},
      {R"({"ok":false,"result":1})", "monitord's answer has neither a result nor an error"},
      {R"({"ok":false,"error":"no","hint":null})", "no"},
      {R"({"ok":false,"error":"no","hint":"yes"})", "no\nhint: yes"},
      {R"({"ok":false,"error":"no\n\n","hint":"yes"})", "no\nhint: yes"},
  }));
  const auto result = result_from_answer(answer);
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().find(error) == 0);
}

TEST_CASE("status document: what is no status is refused and odd members are unknown") {
  CHECK(status_from_json(1).error() == "the status is not an object");
  CHECK(status_from_json(boost::json::parse("{}")).error() ==
        "the status has no object \"monitord\"");
  const auto status = status_from_json(boost::json::parse(
      R"({"monitord":{"cycle":-1,"dry_run":"no","notes":[1,"a"],"polls":{"sent":1.5,"late":2}},)"
      R"("services":[7,{"service":"tcp 10.9.9.9:80","destinations":[null,{"destination":"d",)"
      R"("base":-5,"current":1e30,"composite":"x","new_key":1}]}]})"));
  REQUIRE(status.has_value());
  CHECK(status->cycle == 0);
  CHECK_FALSE(status->dry_run);
  CHECK(status->notes == std::vector<std::string>{"a"});
  CHECK(status->polls == decltype(status->polls){{"late", 2}});
  REQUIRE(status->services.size() == 1);
  REQUIRE(status->services[0].destinations.size() == 1);
  DestinationStatus expected;
  expected.destination = "d";
  CHECK(status->services[0].destinations[0] == expected);
}

TEST_CASE("status document: it says what the daemon wrote") {
  const auto answer = lvs::monitord::control_answer(
      boost::json::value(lvs::monitord::json_from_report(some_report())));
  const auto status = status_from_json(result_from_answer(answer).value());
  REQUIRE(status.has_value());
  auto expected = some_status();
  expected.services[0].destinations.pop_back();
  const auto above_zero = [](Status::Counters counters) {
    std::erase_if(counters, [](const auto& counter) { return counter.second == 0; });
    return counters;
  };
  CHECK(above_zero(status->polls) == expected.polls);
  CHECK(above_zero(status->probes) == expected.probes);
  expected.polls = status->polls;
  expected.probes = status->probes;
  CHECK(*status == expected);
}

TEST_CASE("status document: verdicts are found by name") {
  const auto status = some_status();
  const StatusIndex index(status);
  REQUIRE(index.find("tcp 10.9.9.9:80", "10.0.0.11:80") != nullptr);
  CHECK(index.find("tcp 10.9.9.9:80", "10.0.0.11:80")->server == "web1");
  CHECK(index.find("tcp 10.9.9.9:80", "10.0.0.99:80") == nullptr);
  CHECK(index.find("udp 10.9.9.9:80", "10.0.0.11:80") == nullptr);
  CHECK(StatusIndex().find("tcp 10.9.9.9:80", "10.0.0.11:80") == nullptr);
}
