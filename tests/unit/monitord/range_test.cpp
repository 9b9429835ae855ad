// Whatever stood in the kernel before, what is written lies within the range (law 5).

#include <algorithm>
#include <cstdint>

#include "support/catch.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

constexpr auto vip = "tcp:10.9.9.9:80";
constexpr auto silent = "10.0.0.11:80";

/// Two servers that answer and one, at `weight`, that never did.
Director with_a_silent_one(std::uint32_t weight, const loadcalc::WeightRange& range) {
  auto director = prompt_director(
      {service(vip, "wlc", {{silent, weight}, {"10.0.0.12:80", 10}, {"10.0.0.13:80", 10}})});
  director.config.defaults.weights = range;
  return director;
}

void others_answer(Director& director) {
  director.report("10.0.0.12", 0.5, 0.5);
  director.report("10.0.0.13", 0.5, 0.5);
}

}  // namespace

TEST_CASE("range: the way back to a base outside of it ends at its edge") {
  auto const [weight, base, range, edge] =
      GENERATE(table<std::uint32_t, std::uint32_t, loadcalc::WeightRange, std::uint32_t>({
          {120, 120, {1, 30}, 30},  // a foreign weight, and with it the base, above the range
          {120, 20, {1, 30}, 20},
          {20, 2, {8, 100}, 8},
          {2, 40, {1, 30}, 30},
      }));
  CAPTURE(weight, base, edge);
  auto director = with_a_silent_one(weight, range);
  director.config.servers[address("10.0.0.11")].base = base;
  for (int cycle = 0; cycle < 30; ++cycle) {
    others_answer(director);
    auto const decision = director.cycle();
    auto const& verdict = verdict_of(decision, silent);
    if (!verdict.write) continue;
    CHECK(*verdict.write >= range.min);
    CHECK(*verdict.write <= range.max);
    CHECK(*verdict.write != verdict.current);
  }
  CHECK(director.at(vip, silent).weight == edge);
}

TEST_CASE("range: a server that drowns in silence is cut into it and no further") {
  auto const [weight, range] = GENERATE(table<std::uint32_t, loadcalc::WeightRange>({
      {120, {1, 30}},
      {20, {8, 30}},
  }));
  CAPTURE(weight);
  auto director = with_a_silent_one(weight, range);
  others_answer(director);
  (void)director.cycle();
  std::uint32_t open = 0;
  auto least = weight;
  for (int cycle = 0; cycle < 10; ++cycle) {
    others_answer(director);
    director.at(vip, silent).active_connections = open += 20;
    auto const decision = director.cycle();
    auto const& verdict = verdict_of(decision, silent);
    if (!verdict.write) continue;
    CHECK(*verdict.write >= range.min);
    CHECK(*verdict.write <= range.max);
    least = std::min(least, *verdict.write);
  }
  CHECK(least < weight);
}

TEST_CASE("range: a cut makes no more of a weight that somebody set below the range") {
  auto director = with_a_silent_one(2, {8, 30});
  others_answer(director);
  (void)director.cycle();
  std::uint32_t open = 0;
  for (int cycle = 0; cycle < 10; ++cycle) {
    others_answer(director);
    director.at(vip, silent).active_connections = open += 20;
    auto const decision = director.cycle();
    CHECK(verdict_of(decision, silent).outcome != Outcome::saturated_cut);
  }
}
