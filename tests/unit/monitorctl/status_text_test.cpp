#include "monitorctl/status_text.hpp"

#include <string>

#include "monitorctl/status_mode.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::some_status;

TEST_CASE("status text: one screen of what the daemon does") {
  CHECK(status_text(some_status(), 1700000001.25) == golden("monitorctl/status.txt"));
}

TEST_CASE("status text: a daemon that cannot read the table says why") {
  Status status;
  status.version = "0.1.0";
  status.degraded = "no ip_vs in this kernel";
  const auto text = status_text(status, 0);
  CHECK(text.find("mode       degraded: the table cannot be read") != std::string::npos);
  CHECK(text.find("table      degraded: no ip_vs in this kernel\n") != std::string::npos);
  CHECK(text.find("outcomes   none\n") != std::string::npos);
}

TEST_CASE("status text: a clock that was set back gives no negative age") {
  CHECK(status_text(some_status(), 0).find("cycle      4711, 0.0 s ago\n") != std::string::npos);
}

TEST_CASE("explain: the numbers of a verdict are written out") {
  const auto status = some_status();
  const auto& service = status.services[0];
  CHECK(explain_text(service, service.destinations[0]) == golden("monitorctl/explain.txt"));
  CHECK(explain_text(service, service.destinations[1]) == golden("monitorctl/explain-silent.txt"));
}

TEST_CASE("explain: shares other than the usual ones are not spelled out") {
  auto status = some_status();
  auto& destination = status.services[0].destinations[0];
  destination.composite = 0.4;
  const auto text = explain_text(status.services[0], destination);
  CHECK(text.find("  F         0.400  (shares as configured)\n") != std::string::npos);
}

TEST_CASE("explain: a distance equal to the boundary is not worth a write") {
  auto status = some_status();
  auto& destination = status.services[0].destinations[0];
  destination.boundary = 12;
  CHECK(explain_text(status.services[0], destination)
            .find("|88 - 100| = 12, not more than B: not worth a write") != std::string::npos);
  destination.boundary = 11.9;
  CHECK(explain_text(status.services[0], destination)
            .find("|88 - 100| = 12, more than B: worth a write") != std::string::npos);
}

TEST_CASE("explain: the boundary is not asked where people or a guard decide") {
  auto status = some_status();
  auto& destination = status.services[0].destinations[0];
  const auto outcome = GENERATE(as<std::string>{}, "pinned", "restoring", "silent_base");
  destination.outcome = outcome;
  const auto text = explain_text(status.services[0], destination);
  CHECK(text.find("boundary  B = 5; not asked here: " + outcome + "\n") != std::string::npos);
  CHECK(text.find("worth a write") == std::string::npos);
}

TEST_CASE("explain: with an unreadable table nobody says that there is none") {
  Status status;
  status.degraded = "Operation not permitted";
  for (const auto& text : {unknown_target_text(status, "tcp 10.9.9.9:80", "10.0.0.11:80"),
                           unknown_destination_text(status, "10.0.0.11:80")}) {
    CHECK(text.find("cannot read the IPVS table") != std::string::npos);
    CHECK(text.find("Operation not permitted") != std::string::npos);
    CHECK(text.find("knows:\n") == std::string::npos);
  }
}

TEST_CASE("status: the mode is what all that is steered does") {
  Status status;
  CHECK(mode_of(status) == StatusMode::starting);
  status.cycle = 7;
  CHECK(mode_of(status) == StatusMode::active);
  DestinationStatus one;
  one.outcome = "paused";
  DestinationStatus other;
  other.outcome = "unmanaged";
  status.services = {{"tcp 10.9.9.9:80", "wrr", {one, other}}};
  CHECK(mode_of(status) == StatusMode::paused);
  CHECK(status_text(status, 0).find("mode       paused by hand") != std::string::npos);
  status.services[0].destinations[0].outcome = "standby";
  CHECK(mode_of(status) == StatusMode::standby);
  status.services[0].destinations.push_back(status.services[0].destinations[0]);
  status.services[0].destinations.back().outcome = "unchanged";
  CHECK(mode_of(status) == StatusMode::active);
  status.dry_run = true;
  CHECK(mode_of(status) == StatusMode::dry_run);
}

TEST_CASE("explain: for an unknown target the known ones are listed") {
  const auto status = some_status();
  CHECK(unknown_target_text(status, "udp 10.9.9.9:53", "10.0.0.11:53") ==
        "monitord knows no service udp 10.9.9.9:53; it knows:\n  tcp 10.9.9.9:80");
  CHECK(unknown_target_text(status, "tcp 10.9.9.9:80", "10.0.0.99:80") ==
        "monitord knows no destination 10.0.0.99:80 in tcp 10.9.9.9:80; it knows:\n"
        "  10.0.0.11:80\n  10.0.0.12:8080");
  CHECK(unknown_target_text({}, "tcp 10.9.9.9:80", "d") ==
        "monitord knows no service tcp 10.9.9.9:80; it knows:\n  none");
}

namespace {

/// Of a pool of two under `capacity`: what was learned says 3:1, and 1 was given before.
ServiceStatus learned_pool() {
  const auto made = [](std::string name, double capacity, double wish, std::uint64_t target) {
    DestinationStatus one;
    one.destination = std::move(name);
    one.strategy = "capacity";
    one.base = 10;
    one.current = 10;
    one.cpu_busy = 0.5;
    one.mem_available = 0.5;
    one.capacity = capacity;
    one.correction = 1;
    one.ratio_exponent = 1;
    one.wish = wish;
    one.eased = wish;
    one.scaled = wish;
    one.target = target;
    one.outcome = "change";
    return one;
  };
  return {"tcp 10.9.9.9:80",
          "wrr",
          {made("10.0.0.11:80", 300, 15, 15), made("10.0.0.12:80", 100, 5, 5)}};
}

std::string way(const ServiceStatus& service, std::string_view label) {
  for (const auto& [name, text] : way_to_target(service, service.destinations[0])) {
    if (name == label) return text;
  }
  return {};
}

}  // namespace

TEST_CASE("explain: the way from what was learned to the integer can be gone again") {
  auto service = learned_pool();
  CHECK(way(service, "strategy") == "capacity");
  CHECK(way(service, "wish") ==
        "base^(1-e) * capacity^e * correction = 10^0.00 * 300^1.00 * 1.000 = 300; over the "
        "pool's 400, times its weights' sum 20: 15");
  CHECK(way(service, "eased").empty());
  CHECK(way(service, "scaled") == "15, as it is");
  CHECK(way(service, "integers") == "the pool's 15:5 become 15:5: here 15");
}

TEST_CASE("explain: doubt, relief and the step are told where they change something") {
  auto service = learned_pool();
  auto& first = service.destinations[0];
  first.wish = 10;
  CHECK(way(service, "wish")
            .ends_with("the evidence cannot tell that from the weight that is there: 10"));
  first.wish = 15;
  first.eased = 7.5;
  first.note = "backlog: cut";
  CHECK(way(service, "eased") == "15 -> 7.5: backlog: cut");
  first.scaled = 11;
  CHECK(way(service, "scaled") ==
        "7.5 over the pool's 12.5, times its weights' sum 20: 12; within one step: 11");
}

TEST_CASE("explain: a score is the sum of its terms") {
  ServiceStatus service{"tcp 10.9.9.9:80", "wrr", {}};
  DestinationStatus one;
  one.strategy = "feedback";
  one.score = 0.41;
  one.terms = {{"CPU", 0.5, 0.6}, {"MEMORY", 0.5, 0.22}};
  service.destinations = {one};
  CHECK(way(service, "score") == "0.5*0.600 CPU + 0.5*0.220 MEMORY = 0.410");
}
