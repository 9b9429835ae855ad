// Several files as one document.

#include <string>
#include <utility>
#include <vector>

#include "strictyaml/document.hpp"
#include "strictyaml/words.hpp"
#include "support/catch.hpp"

using namespace lvs::strictyaml;

namespace {

Document document_of(std::vector<TextFile> files) {
  return {std::move(files), {"list"}};
}

std::vector<std::string> texts(const Node& list) {
  std::vector<std::string> all;
  for (const Node& item : list.items())
    all.push_back(item.as_string().value());
  return all;
}

}  // namespace

TEST_CASE("merge: maps are united and a later value takes the place of an earlier one") {
  const Document document = document_of({{"a", "x: 1\nm: {one: 1, deep: {p: 1}}\n"},
                                         {"b", "y: 2\nm: {two: 2, deep: {p: 3, q: 4}}\n"},
                                         {"c", "x: 5\n"}});
  const Node root = document.root();
  CHECK(root["x"].as_integer(0, 9) == 5);
  CHECK(root["x"].file() == "c");
  CHECK(root["x"].line() == 1);
  CHECK(root["y"].file() == "b");
  CHECK(root["m"]["one"].as_integer(0, 9) == 1);
  CHECK(root["m"]["two"].as_integer(0, 9) == 2);
  CHECK(root["m"]["deep"]["p"].as_integer(0, 9) == 3);
  CHECK(root["m"]["deep"]["p"].file() == "b");
  CHECK(document.problems().empty());
}

TEST_CASE("merge: the lists that are named are joined and others take the place of the former") {
  const Document document = document_of({{"a", "list: [1, 2]\nother: [1, 2]\nm: {list: [1]}\n"},
                                         {"b", "list: [3]\nother: [3]\nm: {list: [2]}\n"}});
  CHECK(texts(document.root()["list"]) == std::vector<std::string>{"1", "2", "3"});
  CHECK(texts(document.root()["other"]) == std::vector<std::string>{"3"});
  CHECK(texts(document.root()["m"]["list"]) == std::vector<std::string>{"2"});
  // Each file counts its own items.
  const auto items = document.root()["list"].items();
  CHECK(items.at(1).path() == "list[1]");
  CHECK(items.at(2).path() == "list[0]");
  CHECK(items.at(2).place_seen_from(items.at(0)) == "b:1");
  CHECK(items.at(1).place_seen_from(items.at(0)) == "line 1");
}

TEST_CASE("merge: problems stand in the order of the files and name theirs") {
  const Document document =
      document_of({{"z", "k: 1\nk: 2\n"}, {"a", "v: 1\nx: ]\n"}, {"b", "w: 300\nnope: 1\n"}});
  const Node root = document.root();
  (void)root["k"];
  (void)root["w"].as_integer(0, 9);
  root.reject_unknown_keys();
  std::vector<std::string> places;
  for (const Problem& problem : document.problems())
    places.push_back(problem.file + ":" + std::to_string(problem.line));
  CHECK(places == std::vector<std::string>{"z:2", "a:2", "b:1", "b:2"});
  CHECK(string_from_problems(document.problems()).ends_with("4 errors in 3 files\n"));
  // What a broken file says is not known: its other keys are not looked at.
  CHECK_FALSE(root["v"].exists());
}

TEST_CASE("merge: a value of another kind is a problem where it stands") {
  const Document document = document_of({{"a", "m: {x: 1}\n"}, {"b", "- 1\n"}, {"c", "m: 7\n"}});
  REQUIRE(document.problems().size() == 1);
  CHECK(document.problems()[0].file == "b");
  CHECK(document.problems()[0].message ==
        "the file has to be a map of keys and values, not a list");
  document.root()["m"].reject_unknown_keys();
  CHECK(document.problems().back().file == "c");
}

TEST_CASE("merge: files without anything in them change nothing") {
  const Document document = document_of({{"a", ""}, {"b", "x: 1\n"}, {"c", "# nothing\n"}});
  CHECK(document.problems().empty());
  CHECK(document.root()["x"].exists());
  const Document broken = document_of({{"a", "x: ]\n"}, {"b", "y: [\n"}});
  CHECK(broken.problems().size() == 2);
  CHECK_FALSE(broken.root().exists());
}

TEST_CASE("words: what is no UTF-8 becomes question marks") {
  CHECK(lvs::strictyaml::text_as_utf8("gr\xc3\xbc\xc3\x9f") == "gr\xc3\xbc\xc3\x9f");
  CHECK(lvs::strictyaml::text_as_utf8("\xff"
                                      "a\xc3") == "?a?");
}
