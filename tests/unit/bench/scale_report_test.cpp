#include "bench/scale_report.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <string>

#include "bench/scale_json.hpp"
#include "support/catch.hpp"

using namespace lvs::bench;
using namespace std::chrono_literals;

namespace {

ScaleRow row(std::size_t servers, double cpu_share) {
  ScaleRow one;
  one.servers = servers;
  one.seconds = 30;
  one.cpu_share = cpu_share;
  one.control_share = cpu_share / 2;
  one.us_per_poll = 12;
  one.rss_mib = 40;
  one.peak_mib = 44;
  one.hour_mib = 60;
  one.cycle_ms = {10, 20, 30};
  one.lateness_ms = {0.1, 0.5, 0.9};
  one.cycles = 15;
  one.answered = 15 * servers;
  one.writes = servers;
  return one;
}

}  // namespace

TEST_CASE("scale: several rounds are medians, largest ones and sums") {
  auto late = row(10, 0.09);
  late.late = 2;
  late.cycle_ms.max = 70;
  late.peak_mib = 50;
  const auto one = merged({row(10, 0.02), late, row(10, 0.03)});
  CHECK(one.servers == 10);
  CHECK(one.cpu_share == 0.03);
  CHECK(one.cycle_ms == Spread{10, 20, 70});
  CHECK(one.rss_mib == 40);
  CHECK(one.peak_mib == 50);
  CHECK(one.seconds == 90);
  CHECK(one.late == 2);
  CHECK(one.cycles == 45);
  CHECK(writes_per_server_minute(one) == Approx(2));
  CHECK(writes_per_server_minute({}) == 0);
}

TEST_CASE("scale: history is whole after its hour and then grows no more") {
  CHECK(history_mib(10'000, 2s, 1h) == history_mib(10'000, 2s, 24h));
  CHECK(history_mib(10'000, 2s, 10min) < history_mib(10'000, 2s, 1h));
  CHECK(history_mib(10, 2s, 1h) < 1);
}

TEST_CASE("scale: a row is the same after JSON") {
  const auto one = row(1'000, 0.004);
  const auto text = boost::json::serialize(object_from_scale_row(one));
  CHECK(scale_row_from_json(text).value() == one);
}

TEST_CASE("scale: what is no row is an error") {
  const auto* const text = GENERATE("", "{", "[]", "{}", R"({"servers": "many"})");
  INFO(text);
  const auto read = scale_row_from_json(text);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().find("no measurement of scale: ") == 0);
}

TEST_CASE("scale: bars are about 10,000 servers, and growth is from 1,000") {
  auto late = row(10'000, 0.05);
  late.late = 1;
  const auto bars = bar_rows({row(1'000, 0.004), row(10'000, 0.05), late});
  REQUIRE(bars.size() == 5);
  CHECK(ratio_of(bars[0]).value() == Approx(5.0 / 6));
  CHECK(is_met(bars[0]) == true);
  CHECK(ratio_of(bars[1]).value() == Approx(40.0 / 64));
  CHECK(ratio_of(bars[3]).value() == Approx(29.0 / 30));
  CHECK(is_met(bars[3]) == false);
  CHECK(ratio_of(bars[4]).value() == Approx(12.5));
  CHECK(is_met(bars[4]) == false);
}

TEST_CASE("scale: a bar of a size that was not measured is neither met nor missed") {
  for (const auto& bar : bar_rows({row(1'000, 0.004)}))
    CHECK_FALSE(is_met(bar).has_value());
  CHECK_FALSE(is_met(bar_rows({row(10'000, 0.05)})[4]).has_value());
}

TEST_CASE("scale: every size stands beside the one before") {
  const auto rows = size_rows({row(100, 0.02), row(10, 0.01), row(100, 0.04)});
  REQUIRE(rows.size() == 12);
  CHECK(rows[0].measured.name == "10 servers: CPU");
  CHECK_FALSE(ratio_of(rows[0]).has_value());
  CHECK(rows[6].measured.name == "100 servers: CPU");
  CHECK(rows[6].measured.samples.size() == 2);
  CHECK(ratio_of(rows[6]).value() == Approx(3));
  CHECK_FALSE(rows[6].bar.has_value());
}

TEST_CASE("scale: the text has a line for each size, each step and each bar") {
  const auto text = scale_text({row(10'000, 0.05), row(1'000, 0.004), row(1'000, 0.006)});
  INFO(text);
  CHECK(text.find("1000 -> 10000 servers: CPU x10.00, growth exponents: CPU 1.000") !=
        std::string::npos);
  CHECK(text.find("10000 servers: CPU: 5.000 % of a core, the bar: 6.000") != std::string::npos);
  CHECK(text.find("missed") == std::string::npos);
  CHECK(scale_text({row(10'000, 0.07)}).find("missed") != std::string::npos);
  CHECK(scale_text({row(10, 0.07)}).find("not measured") != std::string::npos);
}

TEST_CASE("scale: JSON has the rows of bench/run, the sizes and the growth") {
  const auto document =
      boost::json::parse(scale_json({row(1'000, 0.005), row(10'000, 0.07), row(10'000, 0.06)}));
  const auto& rows = document.at("rows").as_array();
  REQUIRE(rows.size() == 12 + 5);
  const auto& growth = rows.back();
  CHECK(growth.at("row").to_number<int>() == 1);
  CHECK(growth.at("ratio").to_number<double>() == Approx(13));
  CHECK_FALSE(growth.at("met").as_bool());
  CHECK(growth.at("measured_samples").as_array().size() == 2);
  CHECK(document.at("scale").as_array().size() == 2);
  CHECK(document.at("growth").at(0).at("cpu_times").to_number<double>() == Approx(13));
}
