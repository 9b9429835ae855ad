#include "strictyaml/words.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace lvs::strictyaml;

TEST_CASE("words: edit distance by hand") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("weight", "weight") == 0);
  CHECK(edit_distance("wieght", "weight") == 1);
  CHECK(edit_distance("weigth", "weight") == 1);
  CHECK(edit_distance("weght", "weight") == 1);
  CHECK(edit_distance("weiight", "weight") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3);
}

TEST_CASE("words: edit distance is symmetric and bounded by the longer word") {
  REQUIRE(rc::check([](const std::string& one, const std::string& other) {
    const std::size_t distance = edit_distance(one, other);
    RC_ASSERT(distance == edit_distance(other, one));
    RC_ASSERT(distance <= std::max(one.size(), other.size()));
    RC_ASSERT((distance == 0U) == (one == other));
  }));
}

TEST_CASE("words: the nearest word or none") {
  const std::vector<std::string> words{"interval", "hold_polls", "agent", "id", "warning"};
  CHECK(nearest_word("intervall", words) == "interval");
  CHECK(nearest_word("INTERVAL", words) == "interval");
  CHECK(nearest_word("hold-polls", words) == "hold_polls");
  CHECK(nearest_word("warn", words) == "warning");
  CHECK(nearest_word("ID", words) == "id");
  CHECK(nearest_word("xy", words).empty());
  CHECK(nearest_word("", words).empty());
  CHECK(nearest_word("unrelated", words).empty());
  CHECK(nearest_word(std::string(100'000, 'x'), words).empty());
}

TEST_CASE("words: quoted text is short and harmless") {
  CHECK(in_quotes("") == "\"\"");
  CHECK(in_quotes("a\nb\x1b[1m") == "\"a b [1m\"");
  CHECK(in_quotes(std::string(60, 'x')) == "\"" + std::string(59, 'x') + "\xe2\x80\xa6\"");
  CHECK(in_quotes(std::string(59, 'x')) == "\"" + std::string(59, 'x') + "\"");
  CHECK(in_quotes(std::string(58, 'x') + "\xc3\xa4") ==
        "\"" + std::string(58, 'x') + "\xe2\x80\xa6\"");
}
