#include "bench/measured_row.hpp"

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace lvs::bench;

namespace {

MeasuredRow row_of(std::vector<double> measured, std::vector<double> reference) {
  return {2, "ms", {"ours", std::move(measured)}, {"theirs", std::move(reference)}, {}, ""};
}

}  // namespace

TEST_CASE("measured row: without a reference there is no ratio and no verdict") {
  auto row = row_of({3}, {});
  row.bar = Bar{Bar::Kind::at_most, 1.5};
  CHECK_FALSE(ratio_of(row));
  CHECK_FALSE(is_met(row));
  row = row_of({}, {3});
  row.bar = Bar{Bar::Kind::at_most, 1.5};
  CHECK_FALSE(ratio_of(row));
  row = row_of({3}, {0});
  CHECK_FALSE(ratio_of(row));
}

TEST_CASE("measured row: medians") {
  CHECK(median_of({}) == 0);
  CHECK(median_of({7}) == 7);
  CHECK(median_of({9, 1, 5}) == 5);
  CHECK(median_of({4, 1, 2, 3}) == 2.5);
}

TEST_CASE("measured row: the ratio is that of the medians, and the bar includes its limit") {
  auto row = row_of({3, 100, 2}, {2, 2, 1});
  CHECK(ratio_of(row) == 1.5);
  CHECK_FALSE(is_met(row));  // no bar
  const auto [kind, limit, met] = GENERATE(table<Bar::Kind, double, bool>({
      {Bar::Kind::at_most, 1.5, true},
      {Bar::Kind::at_most, 1.4, false},
      {Bar::Kind::at_least, 1.5, true},
      {Bar::Kind::at_least, 1.6, false},
  }));
  row.bar = Bar{kind, limit};
  CHECK(is_met(row) == met);
}

TEST_CASE("measured row: JSON has every figure and every sample") {
  auto row = row_of({3, 5, 4}, {2});
  row.bar = Bar{Bar::Kind::at_most, 1.5};
  row.note = "of a test";
  const auto document = boost::json::parse(rows_json(std::vector{row, row_of({1}, {})}));
  const auto& rows = document.at("rows").as_array();
  REQUIRE(rows.size() == 2);
  const boost::json::value expected{{"row", 2},
                                    {"what", "ours"},
                                    {"unit", "ms"},
                                    {"measured", 4.0},
                                    {"measured_samples", {3.0, 5.0, 4.0}},
                                    {"reference_name", "theirs"},
                                    {"reference", 2.0},
                                    {"reference_samples", boost::json::array{2.0}},
                                    {"ratio", 2.0},
                                    {"bar", boost::json::object{{"at_most", 1.5}}},
                                    {"met", false},
                                    {"note", "of a test"}};
  CHECK(rows.at(0) == expected);
  CHECK(rows.at(1).at("ratio").is_null());
  CHECK(rows.at(1).at("bar").is_null());
  CHECK(rows.at(1).at("met").is_null());
}

TEST_CASE("measured row: a line of text says whether the bar is met") {
  auto row = row_of({3}, {2});
  row.bar = Bar{Bar::Kind::at_most, 1.5};
  CHECK(rows_text(std::vector{row}) ==
        "2  ours: 3.000 ms, theirs: 2.000 ms, ratio 1.5000  bar <= 1.5: met\n");
  row.bar->limit = 1;
  row.note = "one process each";
  CHECK(
      rows_text(std::vector{row}) ==
      "2  ours: 3.000 ms, theirs: 2.000 ms, ratio 1.5000  bar <= 1: missed  (one process each)\n");
  CHECK(rows_text(std::vector{row_of({3}, {})}) ==
        "2  ours: 3.000 ms, theirs: 0.000 ms, ratio -\n");
}
