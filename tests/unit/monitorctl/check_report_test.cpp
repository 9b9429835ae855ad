#include "monitorctl/check_report.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::destination_key;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::service_key;

namespace {

constexpr double now = 1700000001.25;

DestinationStatus destination(std::string name, std::uint64_t weight, std::string reading,
                              std::optional<double> cpu, std::string outcome) {
  DestinationStatus made;
  made.destination = std::move(name);
  made.current = weight;
  made.reading = std::move(reading);
  made.cpu_busy = cpu;
  made.outcome = std::move(outcome);
  return made;
}

/// Two services of three and two destinations, of which one is drained; all is well.
Status good_status() {
  Status status;
  status.version = "0.1.0";
  status.cycle = 4711;
  status.wall_time = 1700000000.5;
  status.foreign_edits = 4;
  status.failed_writes = 1;
  status.services = {{"tcp 10.9.9.9:80",
                      "wrr",
                      {destination("10.0.0.11:80", 10, "fresh", 0.25, "unchanged"),
                       destination("10.0.0.12:80", 20, "stale", 0.5, "change"),
                       destination("10.0.0.13:80", 0, "fresh", 0.95, "drained")}},
                     {"fwm 7",
                      "mh",
                      {destination("10.0.0.11:0", 5, "fresh", 0.5, "unchanged"),
                       destination("10.0.0.12:0", 5, "fresh", 0.5, "unchanged")}}};
  return status;
}

lvs::ipvs::ServiceEntry entry(
    std::string_view service,
    const std::vector<std::pair<std::string, std::uint32_t>>& destinations) {
  lvs::ipvs::ServiceEntry made;
  made.service.key = service_key(service);
  for (const auto& [name, weight] : destinations) {
    lvs::ipvs::Destination one;
    one.key = destination_key(name);
    one.weight = weight;
    made.destinations.push_back(one);
  }
  return made;
}

std::vector<lvs::ipvs::ServiceEntry> good_table() {
  return {
      entry("tcp:10.9.9.9:80", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 20}, {"10.0.0.13:80", 0}}),
      entry("fwm:7", {{"10.0.0.11:0", 5}, {"10.0.0.12:0", 5}})};
}

CheckSights sights_of(Status status) {
  return {.service = {}, .table = good_table(), .daemon = std::move(status), .now = now};
}

DestinationStatus& first(Status& status) {
  return status.services[0].destinations[0];
}

struct Expected {
  CheckState state{};
  std::string text{};
};

/// The one problem there is.
Expected problem(const CheckSights& sights, const CheckLimits& limits = {}) {
  const auto report = check_report(sights, limits);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.state == report.findings[0].state);
  return {report.findings[0].state, report.findings[0].text};
}

std::string number(const CheckReport& report, const std::string& label) {
  const auto found = std::ranges::find_if(
      report.numbers, [&](const std::string& one) { return one.starts_with(label + "="); });
  return found == report.numbers.end() ? "" : found->substr(label.size() + 1);
}

}  // namespace

TEST_CASE("check: all is well") {
  const auto printed = printed_check(check_report(sights_of(good_status()), {}));
  CHECK(printed.out == golden("monitorctl/check-ok.txt"));
  CHECK(printed.err.empty());
  CHECK(printed.status == 0);
}

TEST_CASE("check: everything at once") {
  auto status = good_status();
  status.dry_run = true;
  status.orders = {"tcp 10.9.9.9:80 is paused"};
  status.notes = {"a | in a note"};
  status.wall_time = now - 45;
  first(status) = destination("10.0.0.11:80", 10, "silent", std::nullopt, "frozen");
  status.services[0].destinations[1] =
      destination("10.0.0.12:80", 20, "none", std::nullopt, "frozen");
  status.services[1].destinations[0] = destination("10.0.0.11:0", 5, "fresh", 0.96, "foreign");
  status.services[1].destinations[1] = destination("10.0.0.12:0", 5, "fresh", 0.9, "paused");
  auto sights = sights_of(status);
  sights.table->push_back(entry("udp:10.9.9.9:53", {{"10.0.0.11:53", 0}}));
  sights.table->push_back(entry("tcp:[fd00::9]:443", {}));
  const auto printed = printed_check(check_report(sights, {}));
  CHECK(printed.out == golden("monitorctl/check-critical.txt"));
  CHECK(printed.status == 2);
}

TEST_CASE("check: a pool without IPVS is judged by what the daemon says of it") {
  auto status = good_status();
  status.services.push_back(
      {"pool web", "roundrobin", {destination("10.0.0.11:80", 0, "fresh", 0.5, "drained")}});
  CHECK(problem(sights_of(status)).text == "pool web: none of 1 destination has a weight above 0");
  auto sights = sights_of(status);
  sights.service = service_key("pool:web");
  CHECK(problem(sights).state == CheckState::critical);
  sights.daemon->services.back().destinations.front().current = 5;
  CHECK(check_report(sights, {}).findings.empty());
  sights.service = service_key("pool:other");
  CHECK(problem(sights).text == "there is no service pool other");
}

TEST_CASE("check: a daemon that is away is critical, and the kernel's table is judged alone") {
  CheckSights sights{.service = {},
                     .table = good_table(),
                     .daemon = tl::make_unexpected(ControlFailure{true, "nobody listens", false}),
                     .now = now};
  const auto printed = printed_check(check_report(sights, {}));
  CHECK(printed.out == golden("monitorctl/check-away.txt"));
  CHECK(printed.status == 2);
  sights.table->push_back(entry("udp:10.9.9.9:53", {{"10.0.0.11:53", 0}}));
  CHECK(check_report(sights, {}).findings.size() == 2);
  sights.table.reset();
  const auto blind = check_report(sights, {});
  CHECK(blind.findings.size() == 1);
  CHECK(number(blind, "services") == "U;;;0;");
}

TEST_CASE("check: a daemon that may not be asked, or is not understood, is unknown") {
  const auto failure = GENERATE(ControlFailure{true, "no permission", true},
                                ControlFailure{false, "not JSON", false});
  const CheckSights sights{
      .service = {}, .table = good_table(), .daemon = tl::make_unexpected(failure), .now = now};
  CHECK(problem(sights).state == CheckState::unknown);
  CHECK(problem(sights).text == failure.message);
}

TEST_CASE("check: a degraded daemon is critical") {
  auto status = good_status();
  status.degraded = "no ip_vs in this kernel";
  status.services.clear();
  auto sights = sights_of(status);
  sights.table.reset();
  const auto found = problem(sights);
  CHECK(found.state == CheckState::critical);
  CHECK(found.text == "monitord is degraded: no ip_vs in this kernel");
}

TEST_CASE("check: the age of the last cycle") {
  const auto [age, state] = GENERATE(table<double, CheckState>({
      {10, CheckState::ok},
      {10.5, CheckState::warning},
      {30, CheckState::warning},
      {30.5, CheckState::critical},
      {-100, CheckState::ok},  // the clock was set back
  }));
  auto status = good_status();
  status.wall_time = now - age;
  CHECK(check_report(sights_of(status), {}).state == state);
  status.wall_time.reset();
  CHECK(problem(sights_of(status)).state == CheckState::unknown);
}

TEST_CASE("check: a service without a weight above 0 is critical") {
  auto sights = sights_of(good_status());
  SECTION("by the kernel's table, whatever the daemon saw") {
    for (auto& destination : sights.table->at(1).destinations)
      destination.weight = 0;
  }
  SECTION("by the daemon where the table could not be read") {
    sights.table.reset();
    for (auto& destination : sights.daemon->services[1].destinations)
      destination.current = 0;
  }
  CHECK(problem(sights).state == CheckState::critical);
  CHECK(problem(sights).text == "fwm 7: none of 2 destinations has a weight above 0");
}

TEST_CASE("check: a service without a destination is critical") {
  auto sights = sights_of(good_status());
  sights.table->push_back(entry("tcp:10.9.9.9:81", {}));
  CHECK(problem(sights).state == CheckState::critical);
  CHECK(problem(sights).text == "tcp 10.9.9.9:81: no destination");
}

TEST_CASE("check: the share of silent ones among those with a weight") {
  const auto [reading, warning, critical, state] =
      GENERATE(table<std::string, double, double, CheckState>({
          {"silent", 50, 50, CheckState::ok},
          {"silent", 49, 50, CheckState::warning},
          {"none", 49, 50, CheckState::warning},
          {"silent", 20, 49, CheckState::critical},
          {"stale", 0, 0, CheckState::ok},
      }));
  auto status = good_status();
  first(status).reading = reading;
  first(status).cpu_busy.reset();
  CheckLimits limits;
  limits.silent = {{0, warning, false}, {0, critical, false}};
  const auto report = check_report(sights_of(status), limits);
  CHECK(report.state == state);
  if (state == CheckState::ok) return;
  CHECK(report.findings[0].text == "tcp 10.9.9.9:80: 1 of 2 destinations silent");
  CHECK(number(report, "tcp:10.9.9.9:80_silent").starts_with("50.0%;"));
}

TEST_CASE("check: right after a start nobody can have been heard") {
  auto status = good_status();
  for (auto& one : status.services[0].destinations)
    one = destination(one.destination, *one.current, "none", std::nullopt, "frozen");
  status.cycle = 1;
  CHECK(check_report(sights_of(status), {}).state == CheckState::ok);
  status.cycle = 4;
  CHECK(check_report(sights_of(status), {}).state == CheckState::critical);
  status.cycle = 1;
  first(status).reading = "silent";  // known from before a reload
  CHECK(check_report(sights_of(status), {}).state == CheckState::critical);
}

TEST_CASE("check: a slower monitord may be older, unless limits are given") {
  auto status = good_status();
  status.interval_s = 30;
  status.wall_time = now - 149;
  CHECK(check_report(sights_of(status), {}).state == CheckState::ok);
  CheckLimits limits;
  limits.age_warning = {0, 60, false};
  CHECK(check_report(sights_of(status), limits).state == CheckState::warning);
  status.wall_time = now - 151;
  CHECK(check_report(sights_of(status), {}).state == CheckState::warning);
  status.wall_time = now - 451;
  CHECK(check_report(sights_of(status), {}).state == CheckState::critical);
}

TEST_CASE("check: what monitord leaves alone is not silent") {
  auto status = good_status();
  const auto outcome = GENERATE(as<std::string>{}, "unmanaged", "weights_ignored");
  for (auto& one : status.services[0].destinations)
    one = destination(one.destination, *one.current, "none", std::nullopt, outcome);
  const auto report = check_report(sights_of(status), {});
  CHECK(report.state == CheckState::ok);
  CHECK(number(report, "tcp:10.9.9.9:80_silent").starts_with("U;"));
  CHECK(number(report, "tcp:10.9.9.9:80_cpu").starts_with("U;"));
}

TEST_CASE("check: a drained destination is neither silent nor busy") {
  auto status = good_status();
  status.services[0].destinations[2].reading = "silent";
  CHECK(check_report(sights_of(status), {}).state == CheckState::ok);
}

TEST_CASE("check: the mean CPU of a service") {
  const auto [cpu, state] = GENERATE(table<double, CheckState>({
      {0.90, CheckState::ok},
      {0.92, CheckState::warning},
      {0.96, CheckState::critical},
  }));
  auto status = good_status();
  for (auto& one : status.services[1].destinations)
    one.cpu_busy = cpu;
  CHECK(check_report(sights_of(status), {}).state == state);
  CheckLimits never;
  never.cpu = {{0, 100, false}, {0, 100, false}};
  CHECK(check_report(sights_of(status), never).state == CheckState::ok);
}

TEST_CASE("check: a frozen service is critical") {
  auto status = good_status();
  first(status).outcome = "frozen";
  CHECK(problem(sights_of(status)).state == CheckState::critical);
  first(status).outcome = "counters_frozen";
  CHECK(problem(sights_of(status)).state == CheckState::warning);
}

TEST_CASE("check: a weight that somebody else set is a warning") {
  auto status = good_status();
  first(status).outcome = GENERATE(as<std::string>{}, "foreign", "reasserted");
  CHECK(problem(sights_of(status)).state == CheckState::warning);
  CHECK(problem(sights_of(status)).text ==
        "tcp 10.9.9.9:80: somebody else set the weight of 10.0.0.11:80");
}

TEST_CASE("check: dry run, pause and standby are no problems but told") {
  auto status = good_status();
  status.dry_run = true;
  first(status).outcome = "paused";
  status.services[1].destinations[0].outcome = "standby";
  const auto report = check_report(sights_of(status), {});
  CHECK(report.state == CheckState::ok);
  CHECK(report.summary ==
        "2 services, 4 of 5 destinations with a weight, last cycle 0.8 s ago, dry run, paused, "
        "standby");
}

TEST_CASE("check: one service only") {
  auto sights = sights_of(good_status());
  first(*sights.daemon).outcome = "frozen";
  sights.service = service_key("fwm:7");
  const auto report = check_report(sights, {});
  CHECK(report.state == CheckState::ok);
  CHECK(number(report, "services") == "1;;;0;");
  CHECK(number(report, "tcp:10.9.9.9:80_cpu").empty());
  sights.service = service_key("tcp:10.9.9.9:80");
  CHECK(check_report(sights, {}).state == CheckState::critical);
}

TEST_CASE("check: a service that is not there is critical where that is known") {
  auto sights = sights_of(good_status());
  sights.service = service_key("tcp:10.9.9.9:8080");
  CHECK(problem(sights).state == CheckState::critical);
  CHECK(problem(sights).text == "there is no service tcp 10.9.9.9:8080");
  sights.table.reset();
  CHECK(problem(sights).text == "there is no service tcp 10.9.9.9:8080");
  sights.daemon->degraded = "no table";
  CHECK(problem(sights).text == "monitord is degraded: no table");
}

TEST_CASE("check: an empty table is no problem") {
  auto sights = sights_of({});
  sights.daemon->wall_time = now;
  sights.table->clear();
  const auto report = check_report(sights, {});
  CHECK(report.state == CheckState::ok);
  CHECK(report.details == std::vector<std::string>{"the IPVS table is empty"});
}

TEST_CASE("check: critical goes before warning, and that before unknown") {
  auto status = good_status();
  status.wall_time.reset();
  first(status).outcome = "foreign";
  CHECK(check_report(sights_of(status), {}).state == CheckState::warning);
  status.services[1].destinations[0].outcome = "frozen";
  const auto report = check_report(sights_of(status), {});
  CHECK(report.state == CheckState::critical);
  REQUIRE(report.findings.size() == 3);
  CHECK(report.findings[0].state == CheckState::critical);
  CHECK(report.findings[2].state == CheckState::unknown);
}

TEST_CASE("check: what cannot be checked is told on stdout, on one line") {
  const auto printed = check_impossible("--warn-cpu: a|b\nis no range");
  CHECK(printed.out == "MONITORD UNKNOWN - --warn-cpu: a/b is no range\n");
  CHECK(printed.err.empty());
  CHECK(printed.status == 3);
}
