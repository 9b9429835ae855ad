#include "strictyaml/duration.hpp"

#include <rapidcheck.h>

#include <cstdint>
#include <string>

#include "support/catch.hpp"

using namespace lvs::strictyaml;

TEST_CASE("duration: what is none") {
  for (const std::string text :
       {"", "s", "5", "-5s", "+5s", "5 s", " 5s", "5s ", "5S", "5us", "5ns", "5d", "5ss", "0x5s",
        "1e2s", "inf", "nans", "5.5.5s", "9999999h"}) {
    INFO(text);
    CHECK_FALSE(duration_ns_from_string(text).has_value());
  }
}

TEST_CASE("duration: units and fractions") {
  CHECK(duration_ns_from_string("0s") == 0);
  CHECK(duration_ns_from_string("500ms") == 500'000'000);
  CHECK(duration_ns_from_string("2s") == 2'000'000'000);
  CHECK(duration_ns_from_string("1.5s") == 1'500'000'000);
  CHECK(duration_ns_from_string("0.1ms") == 100'000);
  CHECK(duration_ns_from_string("5m") == 300'000'000'000);
  CHECK(duration_ns_from_string("1h") == 3'600'000'000'000);
}

TEST_CASE("duration: text in the largest whole unit") {
  CHECK(string_from_duration_ns(0) == "0s");
  CHECK(string_from_duration_ns(1'500'000'000) == "1500ms");
  CHECK(string_from_duration_ns(120'000'000'000) == "2m");
  CHECK(string_from_duration_ns(1) == "1ns");
}

TEST_CASE("duration: whole milliseconds survive the way to text and back") {
  REQUIRE(rc::check([] {
    const std::int64_t duration = *rc::gen::inRange<std::int64_t>(0, 86'400'000) * 1'000'000;
    RC_ASSERT(duration_ns_from_string(string_from_duration_ns(duration)) == duration);
  }));
}
