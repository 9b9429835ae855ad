#include "bench/spread.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace lvs::bench;

TEST_CASE("spread: nothing has none") {
  CHECK(percentile_of({}, 0.99) == 0);
  CHECK(spread_of({}) == Spread{});
}

TEST_CASE("spread: a percentile is one of the samples") {
  std::vector<double> samples;
  for (int i = 100; i >= 1; --i)
    samples.push_back(i);
  CHECK(percentile_of(samples, 0) == 1);
  CHECK(percentile_of(samples, 0.5) == 50);
  CHECK(percentile_of(samples, 0.99) == 99);
  CHECK(percentile_of(samples, 1) == 100);
  CHECK(percentile_of(samples, 7) == 100);
  CHECK(percentile_of({3}, 0.01) == 3);
  CHECK(spread_of({4, 2, 6}) == Spread{4, 6, 6});
}

TEST_CASE("growth: the exponent of a power is found again") {
  CHECK(growth_exponent({10, 5}, {1000, 500}).value() == Approx(1));
  CHECK(growth_exponent({10, 5}, {100, 500}).value() == Approx(2));
  CHECK(growth_exponent({1000, 7}, {10, 7}).value() == Approx(0).margin(1e-12));
}

TEST_CASE("growth: without two points there is none") {
  const auto [from, to] = GENERATE(table<Grown, Grown>({
      {Grown{0, 1}, Grown{10, 1}},
      {Grown{1, 0}, Grown{10, 1}},
      {Grown{1, 1}, Grown{10, -1}},
      {Grown{10, 1}, Grown{10, 2}},
  }));
  CHECK_FALSE(growth_exponent(from, to).has_value());
}
