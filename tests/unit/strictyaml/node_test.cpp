#include <string>
#include <vector>

#include "document_support.hpp"
#include "support/catch.hpp"

using namespace lvs::strictyaml;

TEST_CASE("node: unknown keys are named with their path and a suggestion") {
  const Document document{"services:\n  - {weight: 1}\n  - servers: [{weight: 1}, {wieght: 3}]\n",
                          "t"};
  for (const Node& service : document.root()["services"].items()) {
    for (const Node& server : service["servers"].items()) {
      server["weight"];
      server["name"];
      server.reject_unknown_keys();
    }
  }
  CHECK(lines_from_problems(document) ==
        Lines{"3:29 unknown key \"wieght\" in services[1].servers[1]"});
  CHECK(document.problems()[0].hint == "did you mean \"weight\"?");
}

TEST_CASE("node: a key that resembles nothing gets the list of known ones") {
  const Document document{"zzz: 1\n", "t"};
  document.root()["interval"];
  document.root()["agent"];
  document.root().reject_unknown_keys();
  REQUIRE(document.problems().size() == 1);
  CHECK(document.problems()[0].hint == "known keys: interval, agent");
}

TEST_CASE("node: a key that moved is unknown, and the hint says where it went") {
  const Document document{"old: 1\n", "t"};
  const Node root = document.root();
  root["elder"];
  root.moved("old", "it is a key of new: now");
  root.reject_unknown_keys();
  REQUIRE(lines_from_problems(document) == Lines{"1:1 unknown key \"old\""});
  CHECK(document.problems()[0].hint == "it is a key of new: now");
}

TEST_CASE("node: problems come in the order of the file and each only once") {
  const Document document{"a: x\nb: y\nc: z\n", "t"};
  const Node root = document.root();
  root["c"].as_bool();
  root["a"].as_bool();
  root["a"].as_bool();
  root["b"].warn("old");
  CHECK(lines_from_problems(document) == Lines{"1:4 a: \"x\" has to be true or false", "2:4 old",
                                               "3:4 c: \"z\" has to be true or false"});
}

TEST_CASE("node: what is not there says nothing and has a path") {
  const Document document{"a: 1\n", "t"};
  const Node missing = document.root()["x"]["y"]["10.0.0.11"];
  CHECK_FALSE(missing.exists());
  CHECK_FALSE(missing.as_string().has_value());
  CHECK_FALSE(missing.as_integer(0, 1).has_value());
  CHECK(missing.items().empty());
  CHECK(missing.entries().empty());
  missing.reject_unknown_keys();
  CHECK(missing.path() == "x.y[\"10.0.0.11\"]");
  CHECK(document.problems().empty());
}

TEST_CASE("node: a node of no document is harmless") {
  const Node node;
  CHECK_FALSE(node.exists());
  CHECK_FALSE(node["a"].exists());
  CHECK(node.items().empty());
  node.error("nobody hears this");
  node.reject_unknown_keys();
  CHECK(node.path().empty());
}

TEST_CASE("node: a required key that is missing is a problem of its map") {
  const Document document{"a:\n  - {b: 1}\n  - c: 1\n", "t"};
  const auto items = document.root()["a"].items();
  REQUIRE(items.size() == 2);
  CHECK(items[0].required("b").as_integer(0, 9) == 1);
  CHECK_FALSE(items[1].required("b").exists());
  CHECK(lines_from_problems(document) == Lines{"3:5 missing key \"b\" in a[1]"});
}

TEST_CASE("node: wrong kinds are said in words") {
  const Document document{"map: [1]\nlist: {a: 1}\nvalue: {a: 1}\nother: [1]\nnothing:\nempty:\n",
                          "t"};
  const Node root = document.root();
  root["map"].reject_unknown_keys();
  root["list"].items();
  root["value"].as_string();
  root["other"].as_string();
  root["nothing"].as_bool();
  root["empty"].entries();
  CHECK(lines_from_problems(document) ==
        Lines{"1:6 map has to be a map of keys and values, not a list",
              "2:7 list has to be a list, not a map of keys and values",
              "3:8 value has to be a single value, not a map",
              "4:8 other has to be a single value, not a list", "5:1 nothing is empty",
              "6:1 empty is empty: it has to be a map of keys and values"});
}

TEST_CASE("node: entries keep the order of the file and know every key") {
  const Document document{"z: 1\n10.0.0.11: 2\na: 3\n", "t"};
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.root().entries()) {
    keys.push_back(*key.as_string() + "=" + *value.as_string() + "@" + value.path());
  }
  CHECK(keys == std::vector<std::string>{"z=1@z", "10.0.0.11=2@[\"10.0.0.11\"]", "a=3@a"});
  document.root().reject_unknown_keys();
  CHECK(document.problems().empty());
}

TEST_CASE("node: an empty file is an empty map") {
  for (const std::string text : {"", "# nothing\n", "---\n", "\n"}) {
    const Document document{text, "t"};
    INFO(text);
    CHECK(document.root().is_map());
    CHECK(document.root().entries().empty());
    document.root().reject_unknown_keys();
    CHECK(document.problems().empty());
  }
}

TEST_CASE("node: after a syntax error nothing is there and nothing more is said") {
  const Document document{"a: 1\nb: ]\n", "t"};
  CHECK_FALSE(document.root().exists());
  document.root().required("a").as_bool();
  document.root().reject_unknown_keys();
  CHECK(document.problems().size() == 1);
}

TEST_CASE("node: of two equal keys the first one is read") {
  const Document document{"a: 1\na: 2\n", "t"};
  CHECK(document.root()["a"].as_integer(0, 9) == 1);
  CHECK(document.has_errors());
}

TEST_CASE("node: warnings are no errors and a moved document keeps its nodes") {
  Document first{"a: 1\n", "t"};
  const Node root = first.root();
  const Document second = std::move(first);
  root["a"].warn("careful");
  CHECK_FALSE(second.has_errors());
  CHECK(lines_from_problems(second) == Lines{"1:4 careful"});
  CHECK(root["a"].line() == 1);
}
