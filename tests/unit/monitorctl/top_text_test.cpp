#include "monitorctl/top_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace lvs::monitorctl;

TEST_CASE("top text: nothing that moves a terminal or breaks a column is shown") {
  const auto [text, unicode, ascii] = GENERATE(table<std::string, std::string, std::string>({
      {"", "", ""},
      {"web1", "web1", "web1"},
      {"a\x1b[2Jb", "a [2Jb", "a [2Jb"},
      {"a\tb\nc\x7f", "a b c?", "a b c?"},
      {"\xc2\x9b"
       "2J",
       "?2J", "?2J"},  // the 8-bit CSI
      {"Zürich", "Zürich", "Z?rich"},
      {"дом→1", "дом→1",
       "???"
       "?1"},
      {"日本", "??", "??"},       // two columns each
      {"e\xcc\x81", "e?", "e?"},  // a combining accent
      {"\xff\xc3", "??", "??"},   // no UTF-8
      {"\xc3(", "?(", "?("},
      {"\xf0\x9f\x90\xa7", "?", "?"},
  }));
  CHECK(shown(text, unicode_glyphs) == unicode);
  CHECK(shown(text, ascii_glyphs) == ascii);
  CHECK(shown(std::string_view("a\0b", 3), ascii_glyphs) == "a b");
}

TEST_CASE("top text: a cut keeps the width and says that it was made") {
  CHECK(cut("Zürich", 6, unicode_glyphs) == "Zürich");
  CHECK(cut("Zürich", 5, unicode_glyphs) == "Züri…");
  CHECK(cut("Zurich", 5, ascii_glyphs) == "Zuri~");
  CHECK(cut("Zurich", 1, ascii_glyphs) == "~");
  CHECK(cut("Zurich", 0, ascii_glyphs).empty());
  const std::string address = "[2001:db8:1111:2222:3333:4444:5555:6666]:443";
  const auto narrow = cut_in_the_middle(address, 24, unicode_glyphs);
  CHECK(narrow == "[2001:db8…5555:6666]:443");
  for (std::size_t width = 0; width <= address.size() + 1; ++width) {
    INFO(width);
    CHECK(width_of(cut_in_the_middle(address, width, unicode_glyphs)) ==
          std::min(width, address.size()));
  }
}

TEST_CASE("top text: padding counts columns, not bytes") {
  CHECK(padded_left("ü", 3) == "  ü");
  CHECK(padded_right("ü", 3) == "ü  ");
  CHECK(padded_right("abcd", 3) == "abcd");
}

TEST_CASE("top text: a sparkline has a character for each mean") {
  CHECK(sparkline({0, 0.5, 1, {}, 7, -1}, 1, unicode_glyphs) == "▁▅█ █▁");
  CHECK(sparkline({0, 0.5, 1, {}, 7, -1}, 1, ascii_glyphs) == "_=# #_");
  CHECK(sparkline({3, {}}, 0, ascii_glyphs) == "_ ");
  CHECK(sparkline({}, 1, ascii_glyphs).empty());
}

TEST_CASE("top text: long lines are broken at blanks, and where there are none") {
  using Lines = std::vector<std::string>;
  CHECK(wrapped("", 10, 2) == Lines{""});
  CHECK(wrapped("one two", 7, 2) == Lines{"one two"});
  CHECK(wrapped("one two three", 8, 2) == Lines{"one two", "  three"});
  CHECK(wrapped("abcdefghij", 4, 1) == Lines{"abcd", " efg", " hij"});
  CHECK(wrapped("ab cd", 2, 5) == Lines{"ab", "cd"});
  CHECK(wrapped("äöü äöü", 4, 0) == Lines{"äöü", "äöü"});
  CHECK(wrapped("ab", 0, 0) == Lines{"a", "b", ""});
}

TEST_CASE("top text: of a line its text, without blanks at the end") {
  const TopLine line{{"a ", {}}, {"ü", {Tone::bad, true, false}}, {"  ", {}}};
  CHECK(width_of(line) == 5);
  CHECK(text_of(line) == "a ü");
}
