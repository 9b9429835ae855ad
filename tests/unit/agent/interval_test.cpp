#include "realserver-agent/interval.hpp"

#include <chrono>
#include <string>
#include <tuple>

#include "support/catch.hpp"

using namespace lvs::agent;
using namespace std::chrono_literals;

TEST_CASE("interval: what is no time in the range is refused with the range and the units") {
  const auto text =
      GENERATE(as<std::string>{}, "", "5", "-5s", "9ms", "61m", "1h1s", "1d", "s", "999999999999h");
  INFO(text);
  const auto interval = interval_from_text(text);
  REQUIRE_FALSE(interval.has_value());
  CHECK(interval.error() ==
        "\"" + text + "\" is no time from 10ms to 1h with its unit: 500ms, 2s, 5m, 1h");
}

TEST_CASE("interval: both ends of the range and every unit are taken") {
  const auto [text, expected] = GENERATE(table<std::string, std::chrono::nanoseconds>(
      {{"10ms", 10ms}, {"1.5s", 1500ms}, {"5m", 5min}, {"1h", 1h}, {"3600s", 1h}}));
  CHECK(interval_from_text(text) == expected);
}
