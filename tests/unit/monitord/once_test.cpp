// `monitord --dry-run` where nothing is set up (law 13).

#include "monitord/once.hpp"

#include <cstdint>
#include <string>

#include "director.hpp"
#include "ipvs/fake_table.hpp"
#include "monitord/logging.hpp"
#include "monitord/report.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using lvs::monitord::testing::service;

namespace {

/// No file, no key: what default_configuration() gives on a host where nothing is installed.
Configuration bare() {
  auto configuration = default_configuration({}).value();
  configuration.keys.clear();
  return configuration;
}

std::string shown(ipvs::Table& table) {
  set_up_log("off");
  return table_from_report(
      report_once(bare(), "1.2.3", {table, nullptr, [] { return std::uint64_t{1}; }}, {}));
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("once: a table that cannot be read is said and not shown as empty") {
  ipvs::FakeTable table;
  table.broken = ipvs::Error{ipvs::ErrorKind::no_ipvs, 2, "no IPVS in this kernel"};
  CHECK(contains(shown(table), "no table: no IPVS in this kernel\n"));
}

TEST_CASE("once: a 0 of monitord's own ends with it") {
  ipvs::FakeTable table(
      {service("tcp 10.9.9.9:80", "wlc", {{"10.0.0.11:80", 0}, {"10.0.0.12:80", 10}})});
  auto configuration = bare();
  configuration.config.dry_run = false;
  configuration.config.defaults.agent_drain = true;
  DestinationId const web1{lvs::monitord::testing::service_key("tcp 10.9.9.9:80"),
                           lvs::monitord::testing::destination_key("10.0.0.11:80")};
  Memory memory;
  memory.destinations[web1] = {10, false, 0, {}, ZeroCause::agent};
  set_up_log("off");
  report_once(configuration, "1.2.3", {table, nullptr, [] { return std::uint64_t{1}; }}, memory);
  CHECK(table.find(web1.service, web1.destination)->weight > 0);
}

TEST_CASE(
    "once: without agents and keys and configuration the table is shown and what is missing") {
  ipvs::FakeTable table(
      {service("tcp 10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 0}})});
  auto const text = shown(table);
  CAPTURE(text);
  CHECK(contains(text, "dry run: nothing is written"));
  CHECK(contains(text, "note: no configuration at /etc/monitord/monitord.yaml"));
  CHECK(contains(text, "tcp 10.9.9.9:80 wlc\n"));
  CHECK(contains(text, "-> 10.0.0.11:80"));
  CHECK(contains(text, "-> 10.0.0.12:80"));
  CHECK(contains(text, "weight 0"));
  CHECK(table.batches == 0);
}
