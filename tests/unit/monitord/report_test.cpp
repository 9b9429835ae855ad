#include "monitord/report.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <limits>
#include <string>

#include "director.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using lvs::monitord::testing::destination_key;
using lvs::monitord::testing::service_key;

namespace {

Verdict known_verdict() {
  Verdict verdict;
  verdict.service = service_key("tcp 10.9.9.9:80");
  verdict.destination = destination_key("10.0.0.11:80");
  verdict.scheduler = "wrr";
  verdict.server = "web1";
  verdict.forwarding = lvs::ipvs::ForwardingMethod::direct_route;
  verdict.base = 10;
  verdict.current = 12;
  verdict.target = 7;
  verdict.write = 7;
  verdict.boundary = 1.5;
  verdict.reading = ReadingState::fresh;
  verdict.age_s = 1.25;
  verdict.cpu_busy = 0.75;
  verdict.mem_available = 0.5;
  verdict.composite = 0.35;
  verdict.input = 1.5;
  verdict.new_connections = 240;
  verdict.completed = 200;
  verdict.active = 7;
  verdict.inactive = 90;
  verdict.capacity = 133.5;
  verdict.correction = 0.875;
  verdict.ratio_exponent = 0.625;
  verdict.further.network_utilisation = 0.25;
  verdict.further.response_s = 0.5;
  verdict.strategy = StrategyKind::feedback;
  verdict.score = 1.25;
  verdict.terms = {{"CPU", 0.75, 1.5}, {"DISK", 0.25, 0.5}};
  verdict.wish = 30;
  verdict.eased = 15;
  verdict.scaled = 7.5;
  verdict.note = "saturated: cut";
  verdict.outcome = Outcome::change;
  verdict.reason = "12 -> 7";
  return verdict;
}

Verdict unknown_verdict() {
  Verdict verdict;
  verdict.service = service_key("tcp 10.9.9.9:80");
  verdict.destination = destination_key("[fd00::12]:80");
  verdict.scheduler = "wrr";
  verdict.current = 10;
  verdict.outcome = Outcome::no_reading;
  verdict.completed = std::numeric_limits<double>::quiet_NaN();
  return verdict;
}

CycleReport some_report() {
  CycleReport report;
  report.cycle = 3;
  report.wall_time = 1700000000.5;
  report.interval = std::chrono::seconds{2};
  report.version = "1.2.3";
  report.dry_run = true;
  report.notes = {"no keys"};
  report.verdicts = {known_verdict(), unknown_verdict()};
  report.applied = {{service_key("tcp 10.9.9.9:80"),
                     {destination_key("10.0.0.11:80"), 12, 7, "12 -> 7"},
                     Applied::Result::failed,
                     "refused"}};
  report.polls.asked = 4;
  report.polls.sent = 5;
  report.polls.bad_mac = 2;
  report.outputs = {{7, 1, 0, 2}, {0, 3}, {4, 0, 5}, {6, 7, 8}};
  report.probes = {
      .sent = 8, .answered = 3, .timeouts = 1, .refused = 2, .bad_reply = 1, .bad_status = 1};
  report.writes = 9;
  return report;
}

}  // namespace

TEST_CASE("report: every number of a verdict is in the JSON under its name") {
  auto const document = json_from_report(some_report());
  auto const& services = document.at("services").as_array();
  REQUIRE(services.size() == 1);
  CHECK(services[0].at("service").as_string() == "tcp 10.9.9.9:80");
  CHECK(services[0].at("scheduler").as_string() == "wrr");
  auto const& destinations = services[0].at("destinations").as_array();
  REQUIRE(destinations.size() == 2);
  CHECK(boost::json::serialize(destinations[0]) ==
        R"({"destination":"10.0.0.11:80","server":"web1","forwarding":"Route","base":10,)"
        R"("current":12,"target":7,"write":7,"boundary":1.5E0,"reading":"fresh","age_s":1.25E0,)"
        R"("cpu_busy":7.5E-1,"mem_available":5E-1,"composite":3.5E-1,"input":1.5E0,)"
        R"("new_connections":240,"completed":2E2,"active":7,"inactive":90,"capacity":1.335E2,)"
        R"("correction":8.75E-1,"ratio_exponent":6.25E-1,"strategy":"feedback","score":1.25E0,)"
        R"("terms":{"CPU":{"coefficient":7.5E-1,"value":1.5E0},)"
        R"("DISK":{"coefficient":2.5E-1,"value":5E-1}},)"
        R"("note":"saturated: cut",)"
        R"("own_zero":null,"outcome":"change","reason":"12 -> 7","network_utilisation":2.5E-1,)"
        R"("disk_utilisation":null,"processes":null,"load_per_cpu":null,"cpu_pressure":null,)"
        R"("memory_pressure":null,"io_pressure":null,"response_s":5E-1,"wish":3E1,)"
        R"("eased":1.5E1,"scaled":7.5E0})");
}

TEST_CASE("report: a pool without IPVS has its name, and nothing forwards as IPVS does") {
  auto report = some_report();
  for (auto& verdict : report.verdicts)
    verdict.service = service_key("pool web");
  auto const document = json_from_report(report);
  auto const& service = document.at("services").as_array().at(0);
  CHECK(service.at("service").as_string() == "pool web");
  CHECK(service.at("destinations").as_array().at(0).at("forwarding").is_null());
  CHECK(table_from_report(report).find("\npool web wrr\n") != std::string::npos);
}

TEST_CASE("report: unknown and impossible numbers are null") {
  auto const document = json_from_report(some_report());
  auto const& unknown =
      document.at("services").as_array().at(0).at("destinations").as_array().at(1);
  for (auto const* key :
       {"target", "write", "age_s", "cpu_busy", "mem_available", "composite", "completed"}) {
    INFO(key);
    CHECK(unknown.at(key).is_null());
  }
  CHECK(unknown.at("destination").as_string() == "[fd00::12]:80");
  CHECK(unknown.at("reading").as_string() == "none");
}

TEST_CASE("report: the head says how the daemon is") {
  auto document = json_from_report(some_report());
  CHECK(
      boost::json::serialize(document.at("monitord")) ==
      R"({"version":"1.2.3","cycle":3,"wall_time":1.7000000005E9,"interval_s":2E0,"dry_run":true,)"
      R"("degraded":null,"notes":["no keys"],"polls":{"asked":4,"sent":5,"answered":0,"late":0,)"
      R"("timeouts":0,"bad_mac":2,"bad_nonce":0,"bad_length":0,"bad_name":0,"bad_source":0,)"
      R"("malformed":0},)"
      R"("probes":{"sent":8,"answered":3,"timeouts":1,"failed":4,"refused":2,"unreachable":0,)"
      R"("bad_reply":1,"bad_status":1},"writes":9,"failed_writes":0,)"
      R"("suppressed":0,"foreign_edits":0,"outputs":{"answered":7,"unknown":1,"malformed":0,)"
      R"("timeouts":2,"stats_read":0,"stats_failed":3,"nginx_reloaded":4,)"
      R"("nginx_test_failed":0,"nginx_reload_failed":5,"dns_addresses":6,"dns_other":7,)"
      R"("dns_malformed":8},"orders":[]})");
  CHECK(boost::json::serialize(document.at("applied")) ==
        R"([{"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","from":12,"to":7,)"
        R"("result":"failed","error":"refused"}])");

  auto report = some_report();
  report.degraded = "no ip_vs in this kernel";
  document = json_from_report(report);
  CHECK(document.at("monitord").at("degraded").as_string() == "no ip_vs in this kernel");
}

TEST_CASE("report: a service appears once even when its verdicts lie apart") {
  auto report = some_report();
  auto other = known_verdict();
  other.service = service_key("fwm 7");
  report.verdicts.insert(report.verdicts.begin() + 1, other);
  auto const document = json_from_report(report);
  auto const& services = document.at("services").as_array();
  REQUIRE(services.size() == 2);
  CHECK(services[0].at("destinations").as_array().size() == 2);
  CHECK(services[1].at("service").as_string() == "fwm 7");
}

TEST_CASE("report: the table for people has one line per destination") {
  CHECK(table_from_report(some_report()) ==
        "monitord 1.2.3, dry run: nothing is written\n"
        "note: no keys\n"
        "tcp 10.9.9.9:80 wrr\n"
        "  -> Destination    Server  Weight  Base  Target  Write     C     M     F  INPUT   Age  "
        "Active  InActive  Verdict\n"
        "  -> 10.0.0.11:80   web1        12    10       7      7  0.75  0.50  0.35   1.50  1.2s  "
        "     7        90  change: 12 -> 7\n"
        "  -> [fd00::12]:80  -           10     -       -      -     -     -     -   1.00     -  "
        "     0         0  no_reading: never heard of its agent: weight held\n");
  auto report = some_report();
  report.degraded = "no ip_vs in this kernel";
  CHECK(table_from_report(report) ==
        "monitord 1.2.3, dry run: nothing is written\nnote: no keys\n"
        "no table: no ip_vs in this kernel\n");
  report = {};
  report.version = "1.2.3";
  CHECK(table_from_report(report) == "monitord 1.2.3\nthe IPVS table is empty\n");
}
