#include "monitord/outputs/output_log.hpp"

#include "support/catch.hpp"

using namespace lvs::monitord;

TEST_CASE("output log: nothing new is no line") {
  CHECK(lines_from_question_faults({9, 1, 2, 3}, {99, 1, 2, 3}, {}).empty());
}

TEST_CASE("output log: a line for each kind of fault") {
  auto const lines = lines_from_question_faults({0, 1, 0, 0}, {5, 4, 2, 0}, {{"unknown", "be/s9"}});
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == LogLine{LogLevel::warning,
                            "haproxy_fault",
                            {{"kind", "unknown"}, {"count", "3"}, {"last", "be/s9"}}});
  CHECK(lines[1].fields[0].second == "malformed");
  CHECK(lines[1].fields[2].second == "-");
}
