#include "monitorctl/top_trail.hpp"

#include "support/catch.hpp"

using namespace lvs::monitorctl;

namespace {

constexpr double part = TopTrail::part_s;
using Means = TopTrail::Means;

}  // namespace

TEST_CASE("top trail: points of a part are one mean, and unknown ones count for nothing") {
  TopTrail trail;
  trail.add({0, 10, 0.25});
  trail.add({part / 2, 20, {}});
  trail.add({2 * part, {}, 0.5});
  CHECK(trail.weights(2, 3) == Means{15, {}, {}});
  CHECK(trail.cpu(2, 3) == Means{0.25, {}, 0.5});
  CHECK(trail.cpu(3, 2) == Means{0.5, {}});
  CHECK(trail.cpu(-5, 2) == Means{{}, {}});
  CHECK(TopTrail().weights(0, 2) == Means{{}, {}});
  CHECK(trail.highest_weight() == 15);
  CHECK(TopTrail().highest_weight() == 0);
}

TEST_CASE("top trail: only so much is kept") {
  TopTrail trail;
  for (int i = 0; i < 100; ++i)
    trail.add({i * part, i, {}});
  const auto all = trail.weights(99, 100);
  CHECK(all[99] == 99.0);
  CHECK(all[100 - TopTrail::most_parts] == 100.0 - TopTrail::most_parts);
  CHECK_FALSE(all[99 - TopTrail::most_parts].has_value());
  CHECK(trail.is_older_than(100));
  CHECK_FALSE(trail.is_older_than(99));
  CHECK(TopTrail().is_older_than(0));
}

TEST_CASE("top trail: the turn is the last one") {
  TopTrail trail;
  CHECK(trail.last_turn() == Turn::none);
  trail.add({0, 10, {}});
  CHECK(trail.last_turn() == Turn::none);
  trail.add({1, 12, {}});
  trail.add({2, {}, {}});
  trail.add({3, 12, {}});
  CHECK(trail.last_turn() == Turn::up);
  trail.add({4, 11, {}});
  CHECK(trail.last_turn() == Turn::down);
}

TEST_CASE("top trail: a clock that was set back begins anew, and odd times break nothing") {
  TopTrail trail;
  trail.add({100 * part, 10, {}});
  trail.add({5 * part, 20, {}});
  CHECK(trail.weights(5, 1) == Means{20});
  CHECK_FALSE(trail.weights(100, 1).front().has_value());
  trail.add({1e300, 1, {}});
  trail.add({-1e300, 1, {}});
  CHECK(TopTrail::part_of(-1) == -1);
}

TEST_CASE("top trail: what was before goes in front") {
  TopTrail older;
  older.add({0, 8, 0.1});
  older.add({part, 9, 0.2});
  older.add({2 * part, 9, 0.3});
  TopTrail trail;
  trail.add({2 * part + 1, 9, 0.9});
  trail.put_before(older);
  CHECK(trail.weights(2, 3) == Means{8, 9, 9});
  CHECK(trail.cpu(2, 3) == Means{0.1, 0.2, 0.9});
  CHECK(trail.last_turn() == Turn::up);
  trail.add({3 * part, 7, {}});
  trail.put_before(older);
  CHECK(trail.last_turn() == Turn::down);
  TopTrail empty;
  empty.put_before(older);
  CHECK(empty.weights(2, 3) == Means{8, 9, 9});
}
