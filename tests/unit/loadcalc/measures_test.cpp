#include "loadcalc/measures.hpp"

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <rapidcheck.h>

#include "support/catch.hpp"

namespace {

using lvs::loadcalc::composite_load;
using lvs::loadcalc::CompositeShares;
using lvs::loadcalc::input_index;
using lvs::loadcalc::Measures;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_CASE("composite load: a measure that is no number means nothing to spare") {
  CHECK(composite_load({kNan, 0.5}, {}) == 0.0);
  CHECK(composite_load({0.5, kNan}, {}) == 0.0);
}

TEST_CASE("composite load: measures are taken into their range") {
  CHECK(composite_load({-1, 2}, {}) == Approx(1.0));
  CHECK(composite_load({kInfinity, -kInfinity}, {}) == 0.0);
}

TEST_CASE("composite load: shares that make no sense give way to the default") {
  auto const shares = GENERATE(
      values<CompositeShares>({{0, 0}, {kNan, 0.4}, {0.6, kInfinity}, {-1, 2}, {2, -1}, {-1, -1}}));
  CAPTURE(shares.cpu, shares.memory);
  CHECK(composite_load({0.5, 0.25}, shares) == Approx(0.4));
}

TEST_CASE("composite load: spare CPU and memory by their shares") {
  auto const [cpu, memory, expected] = GENERATE(table<double, double, double>(
      {{0, 1, 1.0}, {1, 0, 0.0}, {0.5, 0.5, 0.5}, {0.7, 0.4, 0.34}, {1, 0.9, 0.36}}));
  CAPTURE(cpu, memory);
  CHECK(composite_load({cpu, memory}, {}) == Approx(expected).margin(1e-12));
}

TEST_CASE("composite load: case 29 (a factor of 0 has no influence)") {
  // CPU 70 % with factor 0.4, memory 90 % used with factor 0: a load of 70 %, not of 28 %.
  CHECK(composite_load({0.7, 0.1}, {0.4, 0.0}) == Approx(0.3));
  // CPU 100 %, memory 10 % used, equal factors: F is 0.45; that the server is saturated is a rule
  // of the strategies.
  CHECK(composite_load({1.0, 0.9}, {0.5, 0.5}) == Approx(0.45));
}

TEST_CASE("composite load: more load never means more to spare") {
  REQUIRE(rc::check([](std::uint16_t cpu, std::uint16_t memory, std::uint16_t more) {
    auto const top = 65535.0;
    auto const before = composite_load({cpu / top, memory / top}, {});
    auto const busier = composite_load({(cpu + more) / top, memory / top}, {});
    auto const fuller = composite_load({cpu / top, (memory - more) / top}, {});
    RC_ASSERT(before >= 0.0 && before <= 1.0);
    RC_ASSERT(busier <= before);
    RC_ASSERT(fuller <= before);
  }));
}

TEST_CASE("INPUT: no connections at all are no imbalance") {
  CHECK(input_index({}).empty());
  CHECK(input_index(std::vector<std::uint64_t>{0, 0, 0}) == std::vector<double>{1, 1, 1});
}

TEST_CASE("INPUT: new connections in units of the mean") {
  CHECK(input_index(std::vector<std::uint64_t>{7}) == std::vector<double>{1});
  CHECK(input_index(std::vector<std::uint64_t>{10, 20, 30}) == std::vector<double>{0.5, 1, 1.5});
  CHECK(input_index(std::vector<std::uint64_t>{0, 40}) == std::vector<double>{0, 2});
}

TEST_CASE("INPUT: its mean is 1 for any counts") {
  REQUIRE(rc::check([](const std::vector<std::uint64_t>& counts) {
    auto const index = input_index(counts);
    RC_ASSERT(index.size() == counts.size());
    auto const sum = std::accumulate(index.begin(), index.end(), 0.0);
    auto const members = static_cast<double>(counts.size());
    RC_ASSERT(sum >= members * (1 - 1e-9));
    RC_ASSERT(sum <= members * (1 + 1e-9));
  }));
}

}  // namespace
