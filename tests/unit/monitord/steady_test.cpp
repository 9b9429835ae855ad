// What does not change is not written (law 3).

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "monitord/cycle_log.hpp"
#include "monitord/remembered.hpp"
#include "support/catch.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

TEST_CASE("steady: equal servers under wrr are never written: case 48") {
  auto const strategy = GENERATE(StrategyKind::capacity, StrategyKind::headroom);
  Director director;
  director.config.defaults.strategy = strategy;
  director.config.defaults.min_write_interval = 0s;
  director.config.interval = 100ms;
  director.table = {service("tcp:10.9.9.9:80", "wrr",
                            {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 10}, {"10.0.0.13:80", 10}})};
  std::size_t settled = 0;
  CycleReport before;
  std::vector<LogLine> said;
  for (int cycle = 0; cycle < 300; ++cycle) {
    auto& taker = director.table[0].destinations.at(static_cast<std::size_t>(cycle % 3));
    ++taker.statistics.connections;
    for (auto const* server : {"10.0.0.11", "10.0.0.12", "10.0.0.13"})
      director.report(server, 0.4, 0.6);
    CycleReport now;
    now.verdicts = director.cycle().verdicts;
    // And nothing at the rate of the polls is in the log (law 9 has its verdicts elsewhere).
    if (cycle > 0) std::ranges::move(lines_from_cycle(before, now), std::back_inserter(said));
    before = std::move(now);
    if (cycle == 0) settled = director.writes;
  }
  CHECK(director.writes == settled);
  CHECK(said.empty());
}

TEST_CASE("steady: a large table costs no writes and no memory: case 33") {
  Director director;
  for (int number = 0; number < 2000; ++number) {
    auto const port = std::to_string(1000 + number);
    director.table.push_back(service("tcp:10.9.0.1:" + port, "wrr",
                                     {{"10.0.0.11:" + port, 10}, {"10.0.0.12:" + port, 10}}));
  }
  Remembered first;
  for (int cycle = 0; cycle < 12; ++cycle) {
    CHECK(director.cycle().verdicts.size() == 4000);
    if (cycle == 1) first = remembered_from_state(director.state);
  }
  CHECK(director.writes == 0);
  CHECK(director.state.services.size() == 2000);
  CHECK(director.state.servers.size() <= 2);
  CHECK(remembered_from_state(director.state) == first);
}

TEST_CASE("steady: an idle pool goes back to its bases and stays there, whatever their scale") {
  // Means below 16 are steered at a larger scale than the bases have: a part of the way up to them
  // used to lead past them, and back in the next cycle, for ever.
  auto const* const scheduler = GENERATE("sed", "wlc", "wrr", "mh");
  auto const strategy = GENERATE(StrategyKind::capacity, StrategyKind::feedback);
  Director director;
  director.config.defaults.strategy = strategy;
  director.config.defaults.min_write_interval = 0s;
  director.table = {
      service("tcp:10.9.9.9:80", scheduler, {{"10.0.0.11:80", 1}, {"10.0.0.12:80", 20}})};
  auto const cycles = [&](int count) {
    auto const before = director.writes;
    for (int cycle = 0; cycle < count; ++cycle) {
      for (auto const* server : {"10.0.0.11", "10.0.0.12"})
        director.report(server, 0.0, 0.05);
      (void)director.cycle();
    }
    return director.writes - before;
  };
  cycles(1);
  director.at("tcp:10.9.9.9:80", "10.0.0.11:80").weight = 2;
  director.state.services.begin()->second.destinations.begin()->second.last_weight = 2;
  director.at("tcp:10.9.9.9:80", "10.0.0.12:80").weight = 30;
  std::next(director.state.services.begin()->second.destinations.begin())->second.last_weight = 30;
  cycles(60);
  CHECK(cycles(30) == 0);
}
