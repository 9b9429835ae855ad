#include "monitorctl/alert_range.hpp"

#include <limits>
#include <string>
#include <tuple>

#include "support/catch.hpp"

using namespace lvs::monitorctl;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("alert range: what is none is refused") {
  const auto text = GENERATE(as<std::string>{}, "", "@", ":", ":10", "~", "10%%", "10s", "ten",
                             "20:10", "1:2:3", "10 ", "nan", "inf:", "-5", "@10:5", "%");
  INFO(text);
  CHECK_FALSE(alert_range_from_text(text, "%"));
}

TEST_CASE("alert range: the ranges of plugins, with and without the unit") {
  const auto [text, range, back] = GENERATE(table<std::string, AlertRange, std::string>({
      {"10", AlertRange{0, 10, false}, "10"},
      {"20%", AlertRange{0, 20, false}, "20"},
      {"10:", AlertRange{10, infinity, false}, "10:"},
      {"0:", AlertRange{0, infinity, false}, "0:"},
      {"~:10%", AlertRange{-infinity, 10, false}, "~:10"},
      {"~:", AlertRange{-infinity, infinity, false}, "~:"},
      {"10%:20%", AlertRange{10, 20, false}, "10:20"},
      {"-5:5", AlertRange{-5, 5, false}, "-5:5"},
      {"@10:20", AlertRange{10, 20, true}, "@10:20"},
      {"@7", AlertRange{0, 7, true}, "@7"},
      {"2.5", AlertRange{0, 2.5, false}, "2.5"},
      {"0", AlertRange{0, 0, false}, "0"},
  }));
  INFO(text);
  const auto read = alert_range_from_text(text, "%");
  REQUIRE(read);
  CHECK(*read == range);
  CHECK(string_from_alert_range(*read) == back);
  CHECK(alert_range_from_text(back, "%") == range);
}

TEST_CASE("alert range: both ends belong to it") {
  const auto [text, value, expected] = GENERATE(table<std::string, double, bool>({
      {"10", 10, false},
      {"10", 10.1, true},
      {"10", 0, false},
      {"10", -0.1, true},
      {"10:", 9.9, true},
      {"10:", 1e9, false},
      {"~:10", -1e9, false},
      {"@10:20", 10, true},
      {"@10:20", 20, true},
      {"@10:20", 9.9, false},
      {"~:", 1e300, false},
      {"@~:", 0, true},
  }));
  INFO(text << " of " << value);
  CHECK(alerts(alert_range_from_text(text, "").value(), value) == expected);
}
