#include <rapidcheck.h>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "clustersim/numbers.hpp"
#include "clustersim/random.hpp"
#include "support/catch.hpp"

namespace {

using lvs::clustersim::exponential_of;
using lvs::clustersim::natural_log;
using lvs::clustersim::Random;
using lvs::clustersim::sine_of_turns;

TEST_CASE("numbers: the logarithm is that of libm but for rounding") {
  CHECK(natural_log(1) == 0);
  for (double x = 1e-300; x < 1e300; x *= 1.37)
    CHECK(natural_log(x) == Approx(std::log(x)).epsilon(1e-14));
  for (double x = 0.5; x < 2; x += 0.001)
    CHECK(natural_log(x) == Approx(std::log(x)).margin(1e-15));
}

TEST_CASE("numbers: the exponential is that of libm but for rounding") {
  CHECK(exponential_of(0) == 1);
  for (double x = -600; x < 600; x += 0.7)
    CHECK(exponential_of(x) == Approx(std::exp(x)).epsilon(1e-13));
}

TEST_CASE("numbers: the sine is that of libm but for rounding") {
  CHECK(sine_of_turns(0.25) == Approx(1));
  for (double turns = -3; turns < 1000; turns += 0.017) {
    auto const expected = std::sin(2 * std::numbers::pi * (turns - std::floor(turns)));
    CHECK(sine_of_turns(turns) == Approx(expected).margin(1e-11));
  }
}

TEST_CASE("random: the generator is splitmix64") {
  // The reference implementation's first numbers for the state 1234567.
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317U);
  CHECK(random.next() == 3203168211198807973U);
  CHECK(random.next() == 9817491932198370423U);
}

struct Moments {
  double mean{};
  double variance{};
};

template <typename Draw>
Moments moments_of(Draw draw) {
  constexpr int count = 200000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    double const x = draw();
    sum += x;
    squares += x * x;
  }
  return {sum / count, squares / count - sum / count * sum / count};
}

TEST_CASE("random: the distributions have their moments") {
  Random random(3, "test");
  auto const uniform = moments_of([&] { return random.uniform(); });
  CHECK(uniform.mean == Approx(0.5).margin(0.005));
  CHECK(uniform.variance == Approx(1.0 / 12).margin(0.002));
  auto const exponential = moments_of([&] { return random.exponential(2); });
  CHECK(exponential.mean == Approx(2).margin(0.03));
  CHECK(exponential.variance == Approx(4).margin(0.15));
  auto const normal = moments_of([&] { return random.normal(); });
  CHECK(normal.mean == Approx(0).margin(0.015));
  CHECK(normal.variance == Approx(1).margin(0.02));
}

TEST_CASE("random: streams depend on seed and name and index") {
  CHECK(Random(1, "a").next() == Random(1, "a").next());
  CHECK(Random(1, "a").next() != Random(2, "a").next());
  CHECK(Random(1, "a").next() != Random(1, "b").next());
  Random const family(1, "a");
  CHECK(family.child(0).next() != family.child(1).next());
  CHECK(family.child(5).next() == family.child(5).next());
}

}  // namespace
