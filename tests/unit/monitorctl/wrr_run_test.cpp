// The longest run of wrr by arithmetic, against the walk itself.

#include "loadcalc/wrr_run.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "clustersim/scheduler.hpp"
#include "support/catch.hpp"

using lvs::loadcalc::longest_wrr_run;

namespace {

using Weights = std::vector<std::uint32_t>;

/// Deals three rounds and counts.
std::uint64_t longest_run_of_walk(const Weights& weights) {
  lvs::clustersim::Destinations destinations;
  destinations.weight = weights;
  const auto walk = lvs::clustersim::make_wrr();
  walk->edited(destinations);
  const auto rounds = 3 * std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::uint64_t longest = 0;
  std::uint64_t run = 0;
  std::optional<std::size_t> before;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const auto picked = walk->pick(destinations, 0);
    run = picked == before ? run + 1 : 1;
    before = picked;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

TEST_CASE("wrr run: the known cases") {
  const auto [weights, run] = GENERATE(table<Weights, std::uint64_t>({
      {{165, 79, 33}, 87},
      {{33, 79, 165}, 87},
      {{33, 165, 79}, 87},
      {{10, 5, 2}, 6},
      {{1, 1, 1}, 1},
      {{100, 50, 25}, 3},
      {{0, 7, 0}, 0},
      {{7, 0, 7}, 1},
      {Weights{}, 0},
      {{2147483647, 1}, 2147483647},
  }));
  CHECK(longest_wrr_run(weights) == run);
}

TEST_CASE("wrr run: it is what the walk deals") {
  std::mt19937 random(20);
  for (int round = 0; round < 500; ++round) {
    Weights weights(2 + random() % 5);
    for (auto& weight : weights)
      weight = static_cast<std::uint32_t>(random() % 12 * (1 + random() % 3));
    const auto dealt = std::count_if(weights.begin(), weights.end(), [](auto w) { return w > 0; });
    CAPTURE(weights);
    if (dealt < 2) {
      CHECK(longest_wrr_run(weights) == 0);
    } else {
      CHECK(longest_wrr_run(weights) == longest_run_of_walk(weights));
    }
  }
}
