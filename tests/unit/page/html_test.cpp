#include "monitord/html.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <string>

#include "support/catch.hpp"

using namespace lvs::monitord;

TEST_CASE("html: nothing in a text can begin an element, a reference or end an attribute") {
  CHECK(html_from_text(R"(<a href="x" title='y'>&</a>)") ==
        "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;");
  CHECK(html_from_text(std::string("a\0b\nc\x7f", 6)) == "a b c ");
  CHECK(html_from_text("Größe ●") == "Größe ●");
}

TEST_CASE("url: a badly encoded part is none") {
  const auto bad = GENERATE(as<std::string>{}, "%", "%4", "%zz", "a%0ab", "a%00", "\x01");
  INFO(bad);
  CHECK_FALSE(text_from_url_part(bad).has_value());
}

TEST_CASE("url: a plus is a blank in a query only") {
  CHECK(text_from_url_part("a+b%20c", true) == "a b c");
  CHECK(text_from_url_part("a+b%20c") == "a+b c");
}

TEST_CASE("url: what is encoded is decoded to the same") {
  REQUIRE(rc::check([](const std::string& text) {
    const bool has_control = std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    const auto url = url_part_from_text(text);
    RC_ASSERT(url.find_first_of(" <>\"'&?#+/") == std::string::npos);
    const auto decoded = text_from_url_part(url, true);
    RC_ASSERT(decoded.has_value() != has_control);
    RC_ASSERT(decoded.value_or(text) == text);
  }));
}

TEST_CASE("csv: commas, quotes and lines are quoted, formulas are no formulas") {
  CHECK(csv_from_text("plain") == "plain");
  CHECK(csv_from_text("a,b") == "\"a,b\"");
  CHECK(csv_from_text("say \"a\"") == "\"say \"\"a\"\"\"");
  CHECK(csv_from_text("two\nlines") == "\"two\nlines\"");
  CHECK(csv_from_text("=1+1") == "'=1+1");
  CHECK(csv_from_text("@x,y") == "\"'@x,y\"");
}

TEST_CASE("html: numbers and times for people") {
  CHECK(number_for_people(0.126, 2) == "0.13");
  CHECK(number_for_people({}, 2) == "-");
  CHECK(number_for_people(std::numeric_limits<double>::infinity(), 2) == "-");
  CHECK(utc_from_wall_time(1800000000.9) == "2027-01-15 08:00:00Z");
  CHECK(span_for_people(-3) == "0 s");
  CHECK(span_for_people(59) == "59 s");
  CHECK(span_for_people(61) == "1 min");
  CHECK(span_for_people(3 * 3600 + 61) == "3 h 1 min");
  CHECK(span_for_people(2 * 86400 + 3601) == "2 d 1 h");
}
