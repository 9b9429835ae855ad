#include <rapidcheck.h>

#include <cstddef>
#include <string>

#include "document_support.hpp"
#include "support/catch.hpp"

using namespace lvs::strictyaml;

namespace {

const std::string ellipsis = "\xe2\x80\xa6";

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    text += part;
  return text;
}

/// Reads everything that there is, as a careless user of the library would.
void read_everything(const Node& node, int depth) {
  node.as_bool();
  node.as_integer(0, 10);
  node.as_duration_ns(0, 10);
  node["key"].as_number(0, 1);
  node.reject_unknown_keys();
  if (depth == 0) return;
  for (const Node& item : node.items())
    read_everything(item, depth - 1);
  for (const auto& [key, value] : node.entries())
    read_everything(value, depth - 1);
}

}  // namespace

TEST_CASE("hostile: text that is no text is refused before it is parsed") {
  struct Case {
    std::string name, text;
    Lines problems;
  };
  const Case cases[] = {
      {"NUL", std::string{"a: 1\nb: x\0y\n", 12}, {"2:5 control character 0x00"}},
      {"escape", "a: \"\x1b[31m\"\n", {"1:5 control character 0x1b"}},
      {"delete", "a: \x7f\n", {"1:4 control character 0x7f"}},
      {"next line (C1)", "a: \xc2\x85\n", {"1:4 control character 0x85"}},
      {"carriage return alone", "a: 1\rb: 2\n", {"1:5 control character 0x0d"}},
      {"Latin 1", "# caf\xe9\n", {"1:6 byte 0xe9 is no UTF-8"}},
      {"overlong", "a: \xc0\xaf\n", {"1:4 byte 0xc0 is no UTF-8"}},
      {"overlong in three bytes", "a: \xe0\x80\xaf\n", {"1:4 byte 0xe0 is no UTF-8"}},
      {"surrogate", "a: \xed\xa0\x80\n", {"1:4 byte 0xed is no UTF-8"}},
      {"beyond Unicode", "a: \xf4\x90\x80\x80\n", {"1:4 byte 0xf4 is no UTF-8"}},
      {"cut character", "a: \xe2\x82", {"1:4 byte 0xe2 is no UTF-8"}},
      {"UTF-16", std::string{"\xff\xfe"}, {"1:1 byte 0xff is no UTF-8"}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(problems_of(c.text) == c.problems);
  }
}

TEST_CASE("hostile: nesting bombs end at depth 32") {
  CHECK(problems_of(repeated("[", 32) + repeated("]", 32)).empty());
  CHECK(problems_of(repeated("[", 33) + repeated("]", 33)) == Lines{"1:33 nested too deeply"});
  // Open to the end of the file each level may still become a key: more than one problem.
  for (const std::string level : {"[", "{a: ", "- ", "? ", "[{"}) {
    INFO(level);
    CHECK(problems_of(repeated(level, 100'000)).back().ends_with("nested too deeply"));
  }
}

TEST_CASE("hostile: aliases are not followed") {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    text.append(name).append(": &").append(name).append(" [");
    text.append(repeated(last + ", ", 9)).append(last).append("]\n");
  }
  const Document document{text, "t"};
  CHECK(document.has_errors());
  CHECK_FALSE(document.root().exists());
}

TEST_CASE("hostile: a file of more than 4 MiB is refused") {
  const std::string limit = repeated("# 456789\n", 4 * 1024 * 1024 / 9);
  CHECK(problems_of(limit).empty());
  CHECK(problems_of(limit + repeated("# 456789\n", 2)) ==
        Lines{"1:1 the file is larger than 4 MiB"});
}

TEST_CASE("hostile: at most 100 problems and a last word are kept") {
  const Document document{repeated("a: 1\n", 1000), "t"};
  REQUIRE(document.problems().size() == 101);
  CHECK(document.problems().front().line == 2);
  CHECK(document.problems().back().message == "more than 100 problems: the rest is not shown");
  CHECK(document.problems().back().line == 1000);
}

TEST_CASE("hostile: a long line is shown in part with the caret in place") {
  const std::string text = "{key: \"\xc3\xa4\", key: [" + repeated("x, ", 5000) + "], key: 2}";
  const Document document{text, "t"};
  REQUIRE(document.problems().size() == 2);
  const Problem& near = document.problems()[0];
  CHECK(near.column == 12);
  CHECK(near.caret == 12);
  CHECK(near.source.starts_with("{key: \"\xc3\xa4\", key: [x, "));
  CHECK(near.source.ends_with(ellipsis));
  const Problem& far = document.problems()[1];
  CHECK(far.column == 15021);
  CHECK(far.caret == 52);
  CHECK(far.source.starts_with(ellipsis));
  CHECK(far.source.ends_with("x, ], key: 2}"));
}

TEST_CASE("hostile: any bytes give problems or values but never a crash") {
  REQUIRE(rc::check([](const std::string& text) {
    const Document document{text, "t"};
    read_everything(document.root(), 3);
    for (const Problem& problem : document.problems()) {
      RC_ASSERT(problem.line > 0U);
      RC_ASSERT(problem.column > 0U);
      RC_ASSERT(string_from_problem(problem).find('\x1b') == std::string::npos);
    }
  }));
}

TEST_CASE("hostile: any shuffle of YAML tokens gives problems or values but never a crash") {
  const auto token = rc::gen::element<std::string>(
      "a", "b", ": ", "\n", "- ", "[", "]", "{", "}", ", ", "\"", "'", "#", "|", ">", "? ", "&a ",
      "*a", "!t ", "<<", "---\n", "...\n", "%YAML 1.2\n", "  ", "\t", "\r\n", "1", "\xc3\xa4");
  REQUIRE(rc::check([&] {
    std::string text;
    for (const auto& part : *rc::gen::container<std::vector<std::string>>(token))
      text += part;
    const Document document{text, "t"};
    read_everything(document.root(), 3);
    RC_ASSERT(document.has_errors() == !document.problems().empty());
    RC_ASSERT(string_from_problems(document.problems()).empty() == document.problems().empty());
  }));
}

TEST_CASE("hostile: a file of nothing but faults and a syntax error is still bounded") {
  const Document document{repeated("- &a x\n", 10'000) + "- ]", "t"};
  CHECK(document.problems().size() == 101);
  const Document exactly{repeated("- &a x\n", 199) + "- ]", "t"};
  CHECK(exactly.problems().size() == 101);
}
