#include "monitord/probe_log.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace lvs::monitord;

TEST_CASE("probe log: answers say nothing") {
  CHECK(lines_from_probe_faults({}, {.sent = 9, .answered = 9}, {}).empty());
  ProbeCounters const same{.sent = 9, .timeouts = 4, .refused = 5};
  CHECK(lines_from_probe_faults(same, same, {}).empty());
}

TEST_CASE("probe log: each kind of fault has one line with how many are new and the last place") {
  auto const lines = lines_from_probe_faults(
      {.timeouts = 1, .refused = 2},
      {.timeouts = 4, .refused = 2, .unreachable = 1, .bad_reply = 1, .bad_status = 7},
      {{"timeout", "10.0.0.11:80"}, {"bad_status", "[fd00::12]:80"}});
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == LogLine{LogLevel::warning,
                            "probe_fault",
                            {{"kind", "timeout"}, {"count", "3"}, {"last_at", "10.0.0.11:80"}}});
  CHECK(lines[1].fields.at(0).second == "unreachable");
  CHECK(lines[1].fields.at(2).second == "-");
  CHECK(lines[3].fields.at(1).second == "7");
}
