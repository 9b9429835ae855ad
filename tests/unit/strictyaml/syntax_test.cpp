#include <string>

#include "document_support.hpp"
#include "support/catch.hpp"

using namespace lvs::strictyaml;

TEST_CASE("syntax: what yaml-cpp takes and a configuration must not hold") {
  struct Case {
    std::string name, text;
    Lines problems;
  };
  const std::string anchors = "anchors, aliases and merge keys are not supported";
  const Case cases[] = {
      {"duplicate key", "a: 1\nb: 2\na: 3\n", {"3:1 duplicate key \"a\""}},
      {"duplicate in other quotes", "a: 1\n\"a\": 2\n", {"2:1 duplicate key \"a\""}},
      {"duplicate far down", "x:\n  - y: {k: 1, k: 2}\n", {"2:15 duplicate key \"k\" in x[0].y"}},
      {"three times", "a: 1\na: 2\na: 3\n", {"2:1 duplicate key \"a\"", "3:1 duplicate key \"a\""}},
      {"duplicates of a duplicate",
       "a: 1\na: {b: 1, b: 2}\n",
       {"2:1 duplicate key \"a\"", "2:11 duplicate key \"b\" in a"}},
      {"duplicates before a syntax error",
       "a: 1\na: 2\nb: ]\n",
       {"2:1 duplicate key \"a\"", "3:4 syntax: illegal flow end"}},
      {"anchor and alias", "a: &x 1\nb: *x\n", {"1:4 " + anchors, "2:4 " + anchors}},
      {"alias to nothing", "b: *x\n", {"1:4 syntax: the referenced anchor is not defined"}},
      {"merge key", "a:\n  <<: {b: 1}\n", {"2:3 " + anchors}},
      {"anchor on nothing", "a: &x\nb: 1\n", {"1:4 " + anchors}},
      {"tag on a scalar", "a: !!int 3\n", {"1:4 tags (!) are not supported"}},
      {"tag on a map", "a: !point {x: 1}\n", {"1:4 tags (!) are not supported"}},
      {"two documents", "a: 1\n---\nb: 1\n", {"2:1 a second document starts here"}},
      {"two documents with an end",
       "a: 1\n...\n---\nb: 1\n",
       {"3:1 a second document starts here"}},
      {"text after a value", "\"a\"b\n", {"1:4 text after the end"}},
      {"complex key", "? [a, b]\n: 1\n", {"1:3 a key has to be a plain word"}},
      {"IPv6 in brackets as a key", "[::1]: 1\n", {"1:1 a key has to be a plain word"}},
      {"open double quote", "a: \"un\nb: 3\n", {"1:4 the quote that starts here is never closed"}},
      {"open single quote",
       "a: 'it''s\nb: 3\n",
       {"1:4 the quote that starts here is never closed"}},
      {"escaped closing quote", "a: \"\\\"\n", {"1:4 the quote that starts here is never closed"}},
      {"open quote in a key", "'a: 1\n", {"1:1 the quote that starts here is never closed"}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(problems_of(c.text) == c.problems);
  }
}

TEST_CASE("syntax: errors stand where the text goes wrong") {
  CHECK(problems_of("a: {b: 1\nc: 2\n") == Lines{"2:2 syntax: end of map flow not found"});
  CHECK(problems_of("a: [1, 2\n") == Lines{"1:9 syntax: end of sequence flow not found"});
  CHECK(problems_of("a:\n\tb: 1\n") == Lines{"2:1 syntax: illegal map value"});
  CHECK(problems_of("a: @x\n") == Lines{"1:4 syntax: unknown token"});
  CHECK(problems_of("a: \"\\q\"\n") == Lines{"1:7 syntax: unknown escape character"});
}

TEST_CASE("syntax: brackets that are never closed are one problem however many they are") {
  CHECK(problems_of("a: [[[[1, 2\nb: 3\n") == Lines{"2:2 syntax: end of sequence flow not found"});
  CHECK(problems_of("a: {{{{\n") == Lines{"1:8 syntax: end of map flow not found"});
  CHECK(problems_of("a: [{b: [\n") == Lines{"1:10 syntax: end of sequence flow not found"});
  CHECK(problems_of("[a]: 1\nb: [\n") ==
        Lines{"1:1 a key has to be a plain word", "2:5 syntax: end of sequence flow not found"});
}

TEST_CASE("syntax: tabs as indentation get a hint about tabs") {
  const Document document{"a:\n  b: 1\n\tc: 1\n", "t"};
  REQUIRE(document.problems().size() == 1);
  CHECK(document.problems()[0].hint == "indent with spaces, not with tabs");
}

TEST_CASE("syntax: what is fine stays fine") {
  const std::string texts[] = {
      "",
      "# only a comment\n",
      "\n\n  \n",
      "---\na: 1\n",
      "%YAML 1.2\n---\na: 1\n...\n",
      "a: \"closed\"\n'b': 'it''s'\n",
      "a: \"two\n  lines\"\n",
      "a: \"ends in a backslash\\\\\"\n",
      "a: |\n  \"block\n",
      "a: >-\n  'block\n",
      "{\"json\": [1, 2, {\"x\": null}]}\n",
      "a: 1\r\nb:\r\n  - 2\r\n",
      std::string{"\xef\xbb\xbf"} + "a: 1\n",
      "fd00::11: {a: 1}\n::1: {a: 1}\n",
      "a: 10.0.0.11:80\nb: {c: 10.0.0.11:80}\n",
  };
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(problems_of(text).empty());
  }
}
