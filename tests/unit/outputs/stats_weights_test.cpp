#include "monitord/outputs/stats_weights.hpp"

#include <string>
#include <vector>

#include "monitord/outputs/pool_table.hpp"
#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

ServerStats row(const std::string& backend, const std::string& server, std::uint32_t weight,
                const std::string& status = "UP") {
  return {backend, server, {7, 8, 9}, weight, status};
}

std::string note(const std::vector<ServerStats>& stats, std::uint32_t weight_of_s1 = 100) {
  std::vector const pools{pool_of_two()};
  PoolTable table;
  table.declare(pools, {});
  table.set_weight({pools[0].service.key, destination_key("10.0.0.11:80")}, weight_of_s1);
  return note_about_zeros(pools[0], table.entries().front(), stats);
}

}  // namespace

TEST_CASE("stats weights: only the pool's own servers have counters") {
  auto const pool = pool_of_two();
  std::vector const stats{row("other", "s1", 1), row("be", "s2", 1), row("be", "s9", 1)};
  auto const counters = counters_of_pool(pool, stats);
  REQUIRE(counters.size() == 1);
  CHECK(counters.at(destination_key("10.0.0.12:80")) == PoolCounters{7, 8, 9});
}

TEST_CASE("stats weights: a 0 in HAProxy that monitord did not say is told") {
  CHECK(note({row("be", "s1", 100), row("be", "s2", 50)}).empty());
  auto const told = note({row("be", "s1", 0, "DRAIN"), row("be", "s2", 0, "DRAIN")});
  CHECK(told.starts_with("pool web: HAProxy has s1, s2 at weight 0, and monitord does not"));
}

TEST_CASE("stats weights: what was taken out, is down or drained by monitord is none") {
  CHECK(note({row("be", "s1", 0, "MAINT"), row("be", "s2", 0, "DOWN 1/2")}).empty());
  CHECK(note({row("be", "s1", 0, "DRAIN")}, 0).empty());
  CHECK(note({}).empty());
}
