#include "monitorctl/probe_report.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <tuple>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::golden;

namespace {

ProbeReport some_report() {
  ProbeReport report;
  report.target = "10.0.0.11:6353";
  report.name = "web1";
  report.round_trip_ms = 0.42;
  auto& before = report.before;
  before.boottime_ns = 100'000'000'000;
  before.boot_id = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                    0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
  before.cpu = lvs::agentproto::CpuTimes{.cpus = 4, .user = 1000, .idle = 5000};
  before.memory = lvs::agentproto::Memory{4096000, 2048000, 1024000, 512000};
  report.after = before;
  report.after.boottime_ns += 1'000'000'000;
  report.after.cpu->user += 300;
  report.after.cpu->idle += 100;
  report.after.run_queue = lvs::agentproto::RunQueue{150, 3, 1};
  return report;
}

AgentQuestion some_question(bool keyed) {
  AgentQuestion question;
  question.endpoint = {"10.0.0.11", 6353};
  question.name = "web1";
  question.key_id = 2;
  if (keyed) question.key.emplace();
  return question;
}

}  // namespace

TEST_CASE("probe: the reading is written out") {
  CHECK(probe_text(some_report()) == golden("monitorctl/probe.txt"));
}

TEST_CASE("probe: what is unknown has its reason and no number") {
  auto report = some_report();
  report.after.boot_id[0] = 1;  // rebooted between the two questions
  report.after.memory.reset();
  report.after.draining = true;
  report.after.partial = true;
  const auto text = probe_text(report);
  CHECK(text.find("  C         -  CPU occupancy") != std::string::npos);
  CHECK(text.find("  F         -  ") != std::string::npos);
  CHECK(text.find("  unknown   ") != std::string::npos);
  CHECK(text.find("  draining  ") != std::string::npos);
  CHECK(text.find("  partial   ") != std::string::npos);
  const auto document = boost::json::parse(probe_json(report));
  CHECK(document.at("cpu_busy").is_null());
  CHECK(document.at("memory").is_null());
  CHECK(document.at("reason").is_string());
}

TEST_CASE("probe: the same sample twice says that the interval is too short") {
  auto report = some_report();
  report.after = report.before;
  CHECK(probe_text(report).find("make --interval longer than its sample_interval") !=
        std::string::npos);
  const auto document = boost::json::parse(probe_json(report));
  CHECK(document.at("cpu_busy").is_null());
  CHECK(document.at("reason").as_string().starts_with("the agent took no sample between"));
}

TEST_CASE("probe: JSON has the status document's names") {
  const auto document = boost::json::parse(probe_json(some_report()));
  CHECK(document.at("server").as_string() == "web1");
  CHECK(document.at("cpu_busy").as_double() == Approx(0.75));
  CHECK(document.at("mem_available").as_double() == Approx(0.5));
  CHECK(document.at("composite").as_double() == Approx(0.35));
  CHECK(document.at("interval_s").as_double() == Approx(1.0));
  CHECK(document.at("reason").is_null());
  CHECK(document.at("boot_id").as_string() == "00112233-4455-6677-8899-aabbccddeeff");
  CHECK(document.at("run_queue").at("load1").as_double() == Approx(1.5));
  CHECK(document.at("load_per_cpu").as_double() == Approx(0.375));
  CHECK(document.at("network_utilisation").is_null());
}

TEST_CASE("probe: every failure says what to check") {
  const auto [error, keyed, expected] = GENERATE(table<AgentError, bool, std::string>({
      {{AgentFailure::bad_host, "Name or service not known"}, true, "10.0.0.11: Name or service"},
      {{AgentFailure::refused, ""}, true, "nothing listens on UDP 10.0.0.11:6353"},
      {{AgentFailure::no_route, "Network is unreachable"}, true, "cannot be asked: Network"},
      {{AgentFailure::wrong_name, ""}, true, "it is not the agent \"web1\": say its name"},
      {{AgentFailure::bad_reply, "wrong MAC"}, true, "would: wrong MAC"},
      {{AgentFailure::silent, ""}, true, "A wrong key looks exactly like no"},
      {{AgentFailure::silent, ""}, true, "monitorctl keygen --agent web1"},
      {{AgentFailure::silent, ""}, false, "leave --insecure out"},
  }));
  CHECK(probe_failure_text(error, some_question(keyed)).find(expected) != std::string::npos);
}
