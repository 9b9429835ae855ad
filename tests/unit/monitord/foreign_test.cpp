// What others do to weights is seen, told once, and not fought (law 12).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

constexpr auto vip = "tcp:10.9.9.9:80";
constexpr auto web1 = "10.0.0.11:80";

Director two(std::uint32_t first = 10) {
  return prompt_director({service(vip, "wlc", {{web1, first}, {"10.0.0.12:80", 10}})});
}

/// One cycle after somebody set web1 to `weight`, with equal readings: nothing to steer.
std::size_t edits_seen(Director& director, std::uint32_t weight) {
  director.at(vip, web1).weight = weight;
  for (auto const* server : {"10.0.0.11", "10.0.0.12"})
    director.report(server, 0.0, 1.0);
  return director.cycle().foreign_edits;
}

}  // namespace

TEST_CASE("foreign: what stands in the table at first is nobody's edit") {
  auto const weight = GENERATE(0U, 10U);
  auto director = two(weight);
  CHECK(director.cycle().foreign_edits == 0);
}

TEST_CASE("foreign: a weight and a drain and its end are one edit each") {
  auto director = two();
  director.config.defaults.guards.slow_start_s = 0;  // that would write after the drain
  std::vector<std::size_t> edits;
  for (auto const weight : {10U, 20U, 20U, 0U, 0U, 0U, 10U, 10U})
    edits.push_back(edits_seen(director, weight));
  CHECK(edits == std::vector<std::size_t>{0, 1, 0, 1, 0, 0, 1, 0});
  CHECK(director.writes == 0);
}

TEST_CASE("foreign: a drain is left alone however good the reports are: case 25") {
  auto director = two();
  CHECK(edits_seen(director, 0) == 0);
  for (int cycle = 0; cycle < 100; ++cycle) {
    director.report("10.0.0.11", 0.05, 0.90);
    director.report("10.0.0.12", 0.30, 0.90);
    CHECK(verdict_of(director.cycle(), web1).outcome == Outcome::drained);
  }
  CHECK(director.at(vip, web1).weight == 0);
  // The checker puts it back: it is steered again.
  CHECK(edits_seen(director, 10) == 1);
  director.report("10.0.0.11", 0.9, 0.5);
  CHECK(verdict_of(director.cycle(), web1).outcome == Outcome::change);
}

TEST_CASE("foreign: a drain from before the first start stays with a configured base: case 50") {
  auto director = two(0);
  director.config.servers[address("10.0.0.11")].base = 10;
  for (int cycle = 0; cycle < 20; ++cycle) {
    CHECK(edits_seen(director, 0) == 0);
    CHECK(director.at(vip, web1).weight == 0);
  }
}

TEST_CASE("foreign: a base is never an observed 0") {
  auto director = two(0);
  CHECK(edits_seen(director, 0) == 0);
  CHECK(edits_seen(director, 7) == 1);
  CHECK(verdict_of(director.decided(), web1).base == 7);
}

TEST_CASE("foreign: a raised 0 is steered from the base again: case 51") {
  auto director = two(8);
  director.config.servers[address("10.0.0.11")].base = 10;
  director.report("10.0.0.11", 0.2, 0.8);
  director.report("10.0.0.12", 0.2, 0.8);
  (void)director.cycle();
  for (int cycle = 0; cycle < 5; ++cycle) {
    director.at(vip, web1).weight = 0;
    director.report("10.0.0.11", 0.1, 0.8);
    CHECK(verdict_of(director.cycle(), web1).outcome == Outcome::drained);
  }
  director.at(vip, web1).weight = 10;
  director.report("10.0.0.11", 0.1, 0.8);
  CHECK(verdict_of(director.cycle(), web1).outcome == Outcome::foreign);
  director.report("10.0.0.11", 0.1, 0.8);
  director.report("10.0.0.12", 0.1, 0.8);
  auto const decision = director.cycle();
  CHECK(verdict_of(decision, web1).base == 10);
  CHECK(verdict_of(decision, web1).outcome != Outcome::drained);
}

TEST_CASE("foreign: our own writes are no edits") {
  auto director = two();
  for (int cycle = 0; cycle < 20; ++cycle) {
    director.report("10.0.0.11", (cycle * 7 % 10) / 10.0, 0.8);
    director.report("10.0.0.12", 0.3, 0.8);
    CHECK(director.cycle().foreign_edits == 0);
  }
  CHECK(director.writes > 5);
}

TEST_CASE("foreign: what others do to a service that is not managed is no edit") {
  auto director = two();
  director.config.services.emplace();
  CHECK(edits_seen(director, 10) == 0);
  CHECK(edits_seen(director, 0) == 0);
  CHECK(edits_seen(director, 30) == 0);
}

TEST_CASE("foreign: with reassert the weight is put back, at most once a minute") {
  auto director = two();
  director.config.defaults.foreign = ForeignPolicy::reassert;
  CHECK(edits_seen(director, 10) == 0);
  std::vector<Moment> written_at;
  for (int cycle = 0; cycle < 100; ++cycle) {
    director.at(vip, web1).weight = 30;  // the other program insists
    for (auto const* server : {"10.0.0.11", "10.0.0.12"})
      director.report(server, 0.0, 1.0);
    auto const now = director.now;
    auto const decision = director.cycle();
    auto const& verdict = verdict_of(decision, web1);
    CHECK(verdict.base == 10);
    CHECK((verdict.outcome == Outcome::reasserted || verdict.outcome == Outcome::foreign));
    if (!verdict.write) continue;
    CHECK(*verdict.write == 10);
    written_at.push_back(now);
  }
  REQUIRE(written_at.size() == 4);
  for (std::size_t i = 1; i < written_at.size(); ++i)
    CHECK(written_at[i] - written_at[i - 1] >= 60s);
}

TEST_CASE("foreign: what is reasserted once is steered on") {
  auto director = two();
  director.config.defaults.foreign = ForeignPolicy::reassert;
  CHECK(edits_seen(director, 10) == 0);
  CHECK(edits_seen(director, 30) == 1);
  CHECK(director.at(vip, web1).weight == 10);
  director.report("10.0.0.11", 0.9, 0.5);
  director.report("10.0.0.12", 0.1, 0.9);
  CHECK(verdict_of(director.cycle(), web1).outcome == Outcome::change);
}

TEST_CASE("foreign: a zero is never reasserted, and its end is adopted") {
  auto director = two();
  director.config.defaults.foreign = ForeignPolicy::reassert;
  CHECK(edits_seen(director, 10) == 0);
  CHECK(edits_seen(director, 0) == 1);
  for (int cycle = 0; cycle < 50; ++cycle)
    CHECK(edits_seen(director, 0) == 0);
  CHECK(director.writes == 0);
  CHECK(edits_seen(director, 20) == 1);
  CHECK(verdict_of(director.decided(), web1).base == 20);
}

TEST_CASE("foreign: a director that serves nobody keeps its weights") {
  auto director = two();
  // Open connections that stay behind when the address moves, or that are synchronised, say
  // nothing.
  director.serves = false;
  for (int cycle = 0; cycle < 100; ++cycle) {
    director.report("10.0.0.11", 0.9, 0.2);
    director.report("10.0.0.12", 0.1, 0.9);
    auto const decision = director.cycle();
    if (cycle > 2) CHECK(verdict_of(decision, web1).outcome == Outcome::standby);
    if (cycle == 3) director.writes = 0;
  }
  CHECK(director.writes == 0);
  director.pass_packets();  // it takes over
  CHECK(verdict_of(director.decided(), web1).outcome != Outcome::standby);
}

TEST_CASE("foreign: a standby whose connections come with a sync daemon stays on standby") {
  auto const strategy = GENERATE(StrategyKind::headroom, StrategyKind::capacity);
  auto director = two();
  director.config.defaults.strategy = strategy;
  director.serves = false;
  director.counters_run = true;
  for (int cycle = 0; cycle < 60; ++cycle) {
    // ip_vs_bind_dest() counts them as active and the sync messages move them to inactive; neither
    // connections nor packets are counted here.
    for (auto& destination : director.table[0].destinations) {
      destination.active_connections += 5;
      destination.inactive_connections += 20;
    }
    director.report("10.0.0.11", 0.9, 0.2);
    director.report("10.0.0.12", 0.1, 0.9);
    auto const decision = director.cycle();
    if (cycle > 2) CHECK(verdict_of(decision, web1).outcome == Outcome::standby);
    if (cycle == 3) director.writes = 0;
  }
  CHECK(director.writes == 0);
  for (auto const& [server, known] : director.state.servers)
    CHECK(known.model.work == 0);
  director.pass_packets();  // the address moves, and the clients' packets with it
  CHECK(verdict_of(director.decided(), web1).outcome != Outcome::standby);
}

TEST_CASE("foreign: where counters may stand still, new connections are a sign of life") {
  auto director = two();
  director.serves = false;
  for (int cycle = 0; cycle < 20; ++cycle) {
    for (auto& destination : director.table[0].destinations)
      destination.inactive_connections += 20;
    director.report("10.0.0.11", 0.9, 0.2);
    director.report("10.0.0.12", 0.1, 0.9);
    CHECK(verdict_of(director.cycle(), web1).outcome != Outcome::standby);
  }
}

TEST_CASE("foreign: what was not caused by its connections teaches a director nothing") {
  auto director = two();
  director.config.defaults.strategy = StrategyKind::capacity;
  auto const cycles = [&](int count, std::uint64_t connections) {
    for (int cycle = 0; cycle < count; ++cycle) {
      for (auto& destination : director.table[0].destinations)
        destination.statistics.connections += connections;
      director.report("10.0.0.11", 0.5, 0.5);
      director.report("10.0.0.12", 0.5, 0.5);
      (void)director.cycle();
    }
    return director.state.servers.at(address("10.0.0.11")).model;
  };
  auto const served = cycles(30, 100);
  CHECK(served.work > 0);
  director.serves = false;  // the address goes; the servers are as busy as before
  CHECK(cycles(50, 0).work == served.work);
  CHECK(cycles(2, 1).work == served.work);  // and comes back, in the middle of a reading
  CHECK(cycles(1, 100).work > served.work);
}

TEST_CASE("foreign: counters that are a cycle late are no standby and are shared out") {
  auto director = two();
  director.config.defaults.strategy = StrategyKind::capacity;
  director.serves = false;
  for (int cycle = 0; cycle < 60; ++cycle) {
    if (cycle % 2 == 0) {
      for (auto& destination : director.table[0].destinations)
        destination.statistics.connections += 200;
    }
    director.report("10.0.0.11", 0.5, 0.5);
    director.report("10.0.0.12", 0.5, 0.5);
    (void)director.cycle();
  }
  auto const model = director.state.servers.at(address("10.0.0.11")).model;
  CHECK(model.work / model.load == Approx(200).epsilon(0.02));  // 100 a cycle at C = 0.5
}
