#include <string>

#include "document_support.hpp"
#include "support/catch.hpp"

using namespace lvs::strictyaml;

TEST_CASE("problem: the house style") {
  const Problem problem{.file = "monitord.yaml",
                        .line = 14,
                        .column = 9,
                        .message = "unknown key \"wieght\" in services[0].servers[1]",
                        .source = "        wieght: 3",
                        .caret = 9,
                        .hint = "did you mean \"weight\"?"};
  CHECK(string_from_problem(problem) ==
        "monitord.yaml:14:9: error: unknown key \"wieght\" in services[0].servers[1]\n"
        "   14 |         wieght: 3\n"
        "      |         ^\n"
        "      hint: did you mean \"weight\"?\n");
}

TEST_CASE("problem: without hint and without source") {
  Problem problem{.severity = Problem::Severity::warning,
                  .file = "f",
                  .line = 1234567,
                  .column = 2,
                  .message = "m",
                  .source = "ab",
                  .caret = 2};
  CHECK(string_from_problem(problem) == "f:1234567:2: warning: m\n1234567 | ab\n        |  ^\n");
  problem.source.clear();
  CHECK(string_from_problem(problem) == "f:1234567:2: warning: m\n");
}

TEST_CASE("problem: the caret stands under its character after tabs and umlauts") {
  const Document document{"a: {\xc3\xa4:\t\"\xe2\x82\xac\",\tb: 1}\n", "t"};
  document.root()["a"]["\xc3\xa4"];
  document.root()["a"].reject_unknown_keys();
  REQUIRE(document.problems().size() == 1);
  CHECK(document.problems()[0].column == 13);
  CHECK(string_from_problem(document.problems()[0]) ==
        "t:1:13: error: unknown key \"b\" in a\n"
        "    1 | a: {\xc3\xa4:\t\"\xe2\x82\xac\",\tb: 1}\n"
        "      |       \t    \t^\n"
        "      hint: known keys: \xc3\xa4\n");
}

TEST_CASE("problem: the last line counts") {
  using Severity = Problem::Severity;
  const Problem error{.severity = Severity::error, .file = "f", .line = 1, .column = 1};
  const Problem warning{.severity = Severity::warning, .file = "f", .line = 1, .column = 1};
  const auto last_line = [](const std::vector<Problem>& problems) {
    const std::string text = string_from_problems(problems);
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  CHECK(string_from_problems({}).empty());
  CHECK(last_line({error}) == "1 error in f\n");
  CHECK(last_line({error, error, error, warning}) == "3 errors, 1 warning in f\n");
  CHECK(last_line({warning, warning}) == "2 warnings in f\n");
}

TEST_CASE("problem: a secret document shows neither lines nor values nor keys") {
  const std::string secret = "5e15753cdc103cdcefa5aaa81a9f877d";
  const std::string texts[] = {
      secret + ": 1\n" + secret + ": 2\n",
      secret + ": {a: 1, a: 2}\n",
      "id: " + secret + "\n",
      "id: \"" + secret + "\"\n",
      "id: *" + secret + "\n",
      "id: \"" + secret + "\n",
      "id: [" + secret + "\n",
      "id: {" + secret + ": 1}\n",
      "id: \"\\" + secret + "\"\n",
      secret,
  };
  for (const std::string& text : texts) {
    const Document document{text, "keys.yaml", Content::secret};
    document.root()["id"].as_integer(0, 9);
    document.root()["id"].as_one_of({"a"});
    document.root()["id"].as_duration_ns(0, 9);
    document.root()["id"].reject_unknown_keys();
    document.root().reject_unknown_keys();
    const std::string shown = string_from_problems(document.problems());
    INFO(shown);
    CHECK(document.has_errors());
    CHECK(shown.find(secret.substr(0, 4)) == std::string::npos);
  }
}
