#include "monitord/chart.hpp"

#include <chrono>
#include <cmath>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace std::chrono_literals;

namespace {

std::vector<TimedPoint> weights(const std::vector<std::pair<Moment, std::uint32_t>>& pairs) {
  std::vector<TimedPoint> series;
  for (const auto& [now, weight] : pairs) {
    HistoryPoint point;
    point.weight = weight;
    series.push_back({now, {}, 0, point});
  }
  return series;
}

double weight_of(const TimedPoint& timed) {
  return timed.point.weight;
}

}  // namespace

TEST_CASE("chart: a bucket is the mean of its part of the time") {
  const auto series = weights({{0s, 99}, {1s, 2}, {2s, 4}, {3s, 7}, {8s, 5}, {9s, 99}});
  const auto buckets = buckets_of(series, 0s, 8s, 4, weight_of);
  CHECK(buckets == Buckets{3.0, 7.0, {}, 5.0});
}

TEST_CASE("chart: what is unknown is in no bucket") {
  const auto series = weights({{1s, 1}});
  const auto buckets =
      buckets_of(series, 0s, 2s, 2, [](const TimedPoint& timed) { return timed.point.cpu_busy; });
  CHECK(buckets == Buckets{{}, {}});
  CHECK(buckets_of({}, 0s, 2s, 2, weight_of) == Buckets{{}, {}});
}

TEST_CASE("chart: a path breaks where nothing is known, and stays inside") {
  CHECK(path_of({1.0, 0.5, {}, 2.0}, 40, 10, 1) == "M0.0 0.0H10.0L10.0 5.0H20.0M30.0 0.0H40.0");
  CHECK(path_of({}, 40, 10, 1).empty());
  CHECK(path_of({{}, {}}, 40, 10, 1).empty());
  CHECK(path_of({-1.0}, 40, 10, 0) == "M0.0 10.0H40.0");
}

TEST_CASE("chart: it tells in words what it shows") {
  const auto svg = chart(
      "Weight", {{"weight", "line-1", {{}, 3.0, 12.0, 10.0}}, {"target", "line-2", {{}}}}, {});
  CHECK(svg.find("Weight; weight: now 10, lowest 3, highest 12; target: nothing known") !=
        std::string::npos);
  CHECK(svg.find(">20</text>") != std::string::npos);  // 12 rounded up
  CHECK(svg.find("style=") == std::string::npos);
}

TEST_CASE("chart: bars show each destination's share") {
  const auto value = published(40);
  const auto pools = pools_of(*value.report, value.history);
  const auto svg = share_bars(pools.at(0));
  CHECK(svg.find("10.0.0.11:80: 33.3% of the weight") != std::string::npos);
  CHECK(svg.find("10.0.0.12:80: 14.3% of the new connections") != std::string::npos);
  CHECK(svg.find("10.0.0.13:80") == std::string::npos);
  CHECK(svg.find("style=") == std::string::npos);
}
