#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "document_support.hpp"
#include "support/catch.hpp"

using namespace lvs::strictyaml;

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t s = 1'000 * ms;

/// The only problem's message and hint; "" when there is none.
std::string complaint(const Document& document) {
  if (document.problems().empty()) return "";
  REQUIRE(document.problems().size() == 1);
  return document.problems()[0].message + " | " + document.problems()[0].hint;
}

}  // namespace

TEST_CASE("value: what is no bool is refused with the right word") {
  struct Case {
    std::string text, complaint;
  };
  const Case cases[] = {
      {"yes", "v: \"yes\" has to be true or false | write true"},
      {"Off", "v: \"Off\" has to be true or false | write false"},
      {"True", "v: \"True\" has to be true or false | write true"},
      {"1", "v: \"1\" has to be true or false | write true or false"},
      {"\"true\"", "v: \"true\" has to be true or false | write it without quotes"},
      {"[true]", "v has to be a single value, not a list | "},
      {"", "v is empty | remove the key or give it a value"},
  };
  for (const Case& c : cases) {
    const Document document{"v: " + c.text + "\n", "t"};
    CHECK_FALSE(document.root()["v"].as_bool().has_value());
    CHECK(complaint(document) == c.complaint);
  }
  const Document good{"[true, false]", "t"};
  CHECK(good.root().items()[0].as_bool() == true);
  CHECK(good.root().items()[1].as_bool() == false);
}

TEST_CASE("value: integers are plain decimal and in range") {
  struct Case {
    std::string text, complaint;
  };
  const std::string range = " | it has to be 1 to 65535";
  const Case cases[] = {
      {"0", "v: \"0\" is out of range" + range},
      {"65536", "v: \"65536\" is out of range" + range},
      {"-1", "v: \"-1\" is out of range" + range},
      {"99999999999999999999", "v: \"99999999999999999999\" is out of range" + range},
      {"-99999999999999999999", "v: \"-99999999999999999999\" is out of range" + range},
      {"1.5", "v: \"1.5\" is no whole number" + range},
      {"1e3", "v: \"1e3\" is no whole number" + range},
      {"0x10", "v: \"0x10\" is no whole number" + range},
      {"+5", "v: \"+5\" is no whole number" + range},
      {"5 6", "v: \"5 6\" is no whole number" + range},
      {"ten", "v: \"ten\" is no whole number" + range},
      {"-", "v has to be a single value, not a list | "},
      {"\"80\"", "v: \"80\" has to be a whole number | write it without quotes"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    const Document document{"v: \n  " + c.text + "\n", "t"};
    CHECK_FALSE(document.root()["v"].as_integer(1, 65535).has_value());
    CHECK(complaint(document) == c.complaint);
  }
  const Document good{"[1, 65535, -9223372036854775808, 007]", "t"};
  CHECK(good.root().items()[0].as_integer(1, 65535) == 1);
  CHECK(good.root().items()[1].as_integer(1, 65535) == 65535);
  const auto least = std::numeric_limits<std::int64_t>::min();
  CHECK(good.root().items()[2].as_integer(least, 0) == least);
  CHECK(good.root().items()[3].as_integer(1, 65535) == 7);
}

TEST_CASE("value: numbers are finite and in range") {
  for (const std::string text : {".inf", "nan", "inf", "5%", "1,5", "0x1p3", "1e999", "half"}) {
    const Document document{"v: " + text + "\n", "t"};
    CHECK_FALSE(document.root()["v"].as_number(0, 1).has_value());
    CHECK(complaint(document) == "v: \"" + text + "\" is no number | it has to be 0 to 1");
  }
  for (const std::string text : {"1.0000001", "-0.1", "1e300"}) {
    const Document document{"v: " + text + "\n", "t"};
    CHECK_FALSE(document.root()["v"].as_number(0, 1).has_value());
    CHECK(complaint(document) == "v: \"" + text + "\" is out of range | it has to be 0 to 1");
  }
  const Document good{"[0, 1, 0.6, 6e-1, .5]", "t"};
  const auto items = good.root().items();
  CHECK(items[0].as_number(0, 1) == 0.0);
  CHECK(items[1].as_number(0, 1) == 1.0);
  CHECK(items[2].as_number(0, 1) == 0.6);
  CHECK(items[3].as_number(0, 1) == 0.6);
  CHECK(items[4].as_number(0, 1) == 0.5);
}

TEST_CASE("value: durations need a unit and their range") {
  struct Case {
    std::string text, complaint;
  };
  const std::string form = " | a duration is a number and a unit: 500ms, 2s, 5m, 1h";
  const Case cases[] = {
      {"2", "v: \"2\" has no unit" + form},
      {"2.5", "v: \"2.5\" has no unit" + form},
      {"2 s", "v: \"2 s\" is no duration" + form},
      {"-2s", "v: \"-2s\" is no duration" + form},
      {"2sec", "v: \"2sec\" is no duration" + form},
      {"s", "v: \"s\" is no duration" + form},
      {"1e3ms", "v: \"1e3ms\" is no duration" + form},
      {"99ms", "v: \"99ms\" is out of range | it has to be 100ms to 1m"},
      {"61s", "v: \"61s\" is out of range | it has to be 100ms to 1m"},
      {"1000000h", "v: \"1000000h\" is out of range | it has to be 100ms to 1m"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    const Document document{"v: " + c.text + "\n", "t"};
    CHECK_FALSE(document.root()["v"].as_duration_ns(100 * ms, 60 * s).has_value());
    CHECK(complaint(document) == c.complaint);
  }
  const Document good{"[500ms, 2s, \"1m\"]", "t"};
  CHECK(good.root().items()[0].as_duration_ns(100 * ms, 60 * s) == 500 * ms);
  CHECK(good.root().items()[1].as_duration_ns(100 * ms, 60 * s) == 2 * s);
  CHECK(good.root().items()[2].as_duration_ns(100 * ms, 60 * s) == 60 * s);
}

TEST_CASE("value: one of some words") {
  const Document document{"a: hedroom\nb: nothing like it\nc: headroom\n", "t"};
  const std::vector<std::string> words{"capacity", "headroom"};
  CHECK_FALSE(document.root()["a"].as_one_of(words).has_value());
  CHECK_FALSE(document.root()["b"].as_one_of(words).has_value());
  CHECK(document.root()["c"].as_one_of(words) == std::size_t{1});
  REQUIRE(document.problems().size() == 2);
  CHECK(document.problems()[0].message == "a: \"hedroom\" is not known here");
  CHECK(document.problems()[0].hint == "did you mean \"headroom\"?");
  CHECK(document.problems()[1].hint == "one of: capacity, headroom");
}

TEST_CASE("value: strings keep their text") {
  const Document document{"a: 007\nb: \"\"\nc: 'it''s'\nd: \"\\u00e4\"\ne: yes\n", "t"};
  CHECK(document.root()["a"].as_string() == "007");
  CHECK(document.root()["b"].as_string() == "");
  CHECK(document.root()["c"].as_string() == "it's");
  CHECK(document.root()["d"].as_string() == "\xc3\xa4");
  CHECK(document.root()["e"].as_string() == "yes");
  CHECK(document.problems().empty());
}
