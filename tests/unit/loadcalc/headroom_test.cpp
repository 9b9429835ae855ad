#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "loadcalc/headroom.hpp"
#include "loadcalc/quantise.hpp"
#include "support/catch.hpp"

namespace {

using lvs::loadcalc::headroom_targets;
using lvs::loadcalc::HeadroomParameters;
using lvs::loadcalc::Measures;
using lvs::loadcalc::Member;
using lvs::loadcalc::Pool;
using lvs::loadcalc::rounded;

/// F is the factor itself: only the CPU counts.
HeadroomParameters by_cpu() {
  HeadroomParameters parameters;
  parameters.shares = {1.0, 0.0};
  return parameters;
}

Pool pool_of(const std::vector<std::uint32_t>& bases, const std::vector<double>& factors) {
  Pool pool;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    pool.members.push_back({bases[i], bases[i], Measures{1.0 - factors[i], 0.5}, {}});
  }
  return pool;
}

std::vector<std::uint32_t> weights(const Pool& pool, const HeadroomParameters& parameters) {
  std::vector<double> targets;
  for (auto const& target : headroom_targets(pool, parameters))
    targets.push_back(target.weight);
  return rounded(targets, pool.range);
}

using Weights = std::vector<std::uint32_t>;

TEST_CASE("headroom: case 30 (a weight cut to 0)") {
  CHECK(weights(pool_of({1, 1, 1}, {0.97, 0.99, 0.5}), by_cpu()) == Weights{1, 1, 1});
  CHECK(weights(pool_of({100, 100, 100}, {0.97, 0.99, 0.5}), by_cpu()) == Weights{97, 99, 50});
  CHECK(weights(pool_of({100, 100, 100}, {0, 0, 0}), by_cpu()) == Weights{1, 1, 1});
}

TEST_CASE("headroom: case 32 (the plain target alternates 50 and 49)") {
  CHECK(weights(pool_of({100, 100}, {0.50, 0.8}), by_cpu()) == Weights{50, 80});
  CHECK(weights(pool_of({100, 100}, {0.49, 0.8}), by_cpu()) == Weights{49, 80});
}

TEST_CASE("headroom: an odd scale counts as 1 and a huge one stays finite") {
  auto const scale = GENERATE(values<double>({0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                                              std::numeric_limits<double>::infinity()}));
  auto parameters = by_cpu();
  parameters.scale = scale;
  CHECK(weights(pool_of({100, 50}, {0.5, 0.5}), parameters) == Weights{50, 25});
  parameters.scale = 1e300;
  CHECK(weights(pool_of({100, 50}, {0.5, 0.5}), parameters) == Weights{100, 100});
}

TEST_CASE("headroom: the scale multiplies") {
  auto parameters = by_cpu();
  parameters.scale = 1.5;
  CHECK(weights(pool_of({40, 20}, {0.5, 0.25}), parameters) == Weights{30, 8});
}

TEST_CASE("headroom: a member without measures keeps its weight") {
  auto pool = pool_of({100, 100}, {0.5, 0.5});
  pool.members[1].measures.reset();
  pool.members[1].current = 37;
  CHECK(weights(pool, by_cpu()) == Weights{50, 37});
  CHECK(headroom_targets(pool, by_cpu())[1].composite == 0.0);
}

}  // namespace
