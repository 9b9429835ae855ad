#include "monitorctl/status_text.hpp"

#include <string>

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
  CHECK(text.find("mode       active\n") != std::string::npos);
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
