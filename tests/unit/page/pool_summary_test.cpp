#include "monitord/pool_summary.hpp"

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

CycleReport two(double first_cpu, double second_cpu) {
  CycleReport made;
  made.verdicts = {verdict("tcp 10.9.9.9:80", "10.0.0.11:80"),
                   verdict("tcp 10.9.9.9:80", "10.0.0.12:80")};
  made.verdicts[0].cpu_busy = first_cpu;
  made.verdicts[1].cpu_busy = second_cpu;
  return made;
}

PoolSummary pool_of(const CycleReport& report) {
  return pools_of(report, {}).at(0);
}

}  // namespace

TEST_CASE("pools: each service once, in the order of the verdicts, with what its members do") {
  const auto value = published(40);
  const auto pools = pools_of(*value.report, value.history);
  REQUIRE(pools.size() == 3);
  CHECK(pools[0].service == service_key("tcp 10.9.9.9:80"));
  CHECK(pools[0].members.size() == 4);
  CHECK(pools[0].weighted == 3);
  CHECK(pools[0].drained == 1);
  CHECK(pools[0].silent == 1);
  CHECK(pools[0].active == 21);
  CHECK(pools[0].seconds == Approx(60));
  CHECK(pools[0].new_connections == 30 * 70);
  CHECK(pools[2].service == service_key("udp [fd00::9]:53"));
}

TEST_CASE("pools: without a history there are no shares of connections, and none of nothing") {
  const auto pool = pool_of(two(0.5, 0.5));
  CHECK(pool.members.at(0).weight_share == Approx(0.5));
  CHECK(pool.members.at(0).connection_share == Approx(0));
  CHECK(pool.seconds == Approx(0));
  auto zeros = two(0.5, 0.5);
  for (auto& one : zeros.verdicts)
    one.current = 0;
  const auto empty = pool_of(zeros);
  CHECK(empty.members.at(0).weight_share == Approx(0));
  CHECK_FALSE(empty.spare.has_value());
  CHECK_FALSE(empty.overloaded);
  CHECK_FALSE(empty.idle);
}

TEST_CASE("pools: overloaded or idle is a pool whose members all are") {
  CHECK(pool_of(two(0.95, 0.9)).overloaded);
  CHECK_FALSE(pool_of(two(0.95, 0.89)).overloaded);
  CHECK(pool_of(two(0.05, 0.0)).idle);
  CHECK_FALSE(pool_of(two(0.05, 0.1)).idle);
  auto short_of_memory = two(0.05, 0.05);
  short_of_memory.verdicts[0].mem_available = 0.05;
  CHECK_FALSE(pool_of(short_of_memory).idle);
  short_of_memory.verdicts[1].mem_available = 0.05;
  CHECK(pool_of(short_of_memory).overloaded);
}

TEST_CASE("pools: who is silent or at weight 0 says nothing about the load") {
  auto report = two(0.95, 0.2);
  report.verdicts[1].reading = ReadingState::silent;
  CHECK(pool_of(report).overloaded);
  report.verdicts[1].reading = ReadingState::fresh;
  report.verdicts[1].current = 0;
  CHECK(pool_of(report).overloaded);
  report.verdicts[1].current = 1;
  CHECK_FALSE(pool_of(report).overloaded);
}
