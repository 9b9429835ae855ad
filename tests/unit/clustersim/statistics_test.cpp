#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "clustersim/random.hpp"
#include "clustersim/statistics.hpp"
#include "clustersim/tally.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::Latencies;
using lvs::clustersim::Random;
using lvs::clustersim::SeriesPoint;
using lvs::clustersim::settle_time;

TEST_CASE("latencies: none") {
  Latencies const latencies;
  CHECK(latencies.count() == 0);
  CHECK(latencies.mean() == 0);
  CHECK(latencies.quantile(0.99) == 0);
}

TEST_CASE("latencies: quantiles are within a percent of the exact ones") {
  Latencies latencies;
  std::vector<double> all;
  Random random(5, "test");
  for (int i = 0; i < 20000; ++i) {
    all.push_back(std::exp(2 * random.normal()) / 50);
    latencies.add(all.back());
  }
  std::ranges::sort(all);
  double sum = 0;
  for (auto const seconds : all)
    sum += seconds;
  CHECK(latencies.count() == 20000);
  CHECK(latencies.mean() == Approx(sum / 20000).epsilon(1e-9));
  for (double const part : {0.01, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    auto const exact = all[static_cast<std::size_t>(std::ceil(part * 20000)) - 1];
    CHECK(latencies.quantile(part) == Approx(exact).epsilon(0.01));
  }
}

TEST_CASE("latencies: what is absurdly short or long is still counted") {
  Latencies latencies;
  latencies.add(0);
  latencies.add(1e12);
  CHECK(latencies.quantile(0.5) < 1e-8);
  CHECK(latencies.quantile(1) > 1e8);
}

SeriesPoint point(double at_s, std::vector<std::uint32_t> weights) {
  SeriesPoint made;
  made.at_s = at_s;
  made.weights = std::move(weights);
  return made;
}

TEST_CASE("settle time: from the last event until shares stay within a tenth of the final ones") {
  CHECK(settle_time({}, 0) == 0);
  CHECK(settle_time({point(2, {1, 2}), point(4, {10, 20})}, 0) == 0);
  std::vector<SeriesPoint> const series{point(2, {10, 10}), point(4, {10, 20}), point(6, {10, 10}),
                                        point(8, {10, 19}), point(10, {10, 20})};
  CHECK(settle_time(series, 0) == 8);
  CHECK(settle_time(series, 5) == 3);
  CHECK(settle_time(series, 9) == 0);
  CHECK(settle_time({point(2, {0, 10}), point(4, {1, 10}), point(6, {0, 10})}, 0) == 6);
}

}  // namespace
