// Random histories: readings come and go, connections start and end, others write weights, and
// monitord itself is killed and started again. The laws hold in every cycle of every history.

#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "monitord/journal_text.hpp"
#include "monitord/reasons.hpp"
#include "support/catch.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

constexpr auto vip = "tcp:10.9.9.9:80";
constexpr std::uint32_t configured_base = 20;

Director random_director() {
  Director director;
  auto const* const scheduler = *rc::gen::element("wrr", "wlc", "sed", "nq", "mh", "sh");
  director.config.defaults.strategy =
      *rc::gen::element(StrategyKind::capacity, StrategyKind::headroom, StrategyKind::feedback,
                        StrategyKind::response, StrategyKind::linear);
  director.config.defaults.weights = {*rc::gen::inRange(1U, 12U), *rc::gen::inRange(30U, 200U)};
  director.config.servers[address("10.0.0.11")].base = configured_base;
  std::vector<std::pair<std::string, std::uint32_t>> pool;
  auto const count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    pool.emplace_back("10.0.0." + std::to_string(11 + i) + ":80", *rc::gen::inRange(0U, 60U));
  }
  director.table = {service(vip, scheduler, pool)};
  return director;
}

double fraction() {
  return *rc::gen::inRange(0, 101) / 100.0;
}

/// Everything that can happen between two cycles.
void disturb(Director& director) {
  for (auto& destination : director.table[0].destinations) {
    auto const started = *rc::gen::inRange(0U, 200U);
    destination.statistics.connections += started;
    destination.active_connections = *rc::gen::inRange(0U, 50U);
    if (*rc::gen::inRange(0, 10) == 0) destination.weight = *rc::gen::inRange(0U, 120U);
    if (*rc::gen::inRange(0, 40) == 0) destination.statistics.connections = 0;
    if (*rc::gen::inRange(0, 4) == 0) continue;  // its agent is silent in this cycle
    director.report(ipvs::string_from_ip_address(destination.key.address), fraction(), fraction());
  }
}

void check_verdict(const Verdict& verdict, const Config& config) {
  auto const& range = config.defaults.weights;
  RC_ASSERT(!reason_of(verdict).empty());
  if (verdict.destination == destination_key("10.0.0.11:80")) {
    RC_ASSERT(verdict.base == configured_base);
  }
  if (!verdict.write) return;
  RC_ASSERT(verdict.current != 0U);
  RC_ASSERT(*verdict.write != verdict.current);
  RC_ASSERT(*verdict.write >= range.min);
  RC_ASSERT(*verdict.write <= range.max);
  RC_ASSERT(loadcalc::exceeds_boundary(config.defaults.boundary, verdict.current, *verdict.write));
}

/// Law 6. Without a reading in time there are three reasons to write: the server drowns, it is on
/// the way back to its base, or none.
void check_silent_verdict(const Verdict& verdict, std::uint32_t floor) {
  if (!verdict.write || verdict.reading == ReadingState::fresh) return;
  RC_ASSERT(verdict.reading != ReadingState::none);
  if (verdict.outcome == Outcome::saturated_cut) {
    RC_ASSERT(*verdict.write < verdict.current || *verdict.write == floor);
    return;
  }
  RC_ASSERT(verdict.reading == ReadingState::silent);
  RC_ASSERT(verdict.outcome == Outcome::silent_base);
  auto const distance = [&](std::uint32_t weight) {
    return weight > *verdict.target ? weight - *verdict.target : *verdict.target - weight;
  };
  RC_ASSERT(distance(*verdict.write) < distance(verdict.current));
}

/// Law 6. Half blind, it writes nothing but cuts of servers that drown.
void check_frozen_pool(const std::vector<Verdict>& verdicts) {
  auto const weighted = std::ranges::count_if(verdicts, [](auto& v) { return v.current > 0; });
  auto const silent = std::ranges::count_if(
      verdicts, [](auto& v) { return v.current > 0 && v.reading != ReadingState::fresh; });
  if (2 * silent <= weighted) return;
  for (auto const& verdict : verdicts)
    RC_ASSERT(!verdict.write || verdict.outcome == Outcome::saturated_cut);
}

/// Law 9: everybody in the table, and nobody else, once.
void check_all_have_verdicts(const ipvs::ServiceEntry& entry,
                             const std::vector<Verdict>& verdicts) {
  std::set<ipvs::DestinationKey> judged;
  for (auto const& verdict : verdicts)
    RC_ASSERT(judged.insert(verdict.destination).second);
  RC_ASSERT(judged.size() == entry.destinations.size());
  for (auto const& destination : entry.destinations)
    RC_ASSERT(judged.contains(destination.key));
}

/// Law 5: who had weight has weight.
void check_nobody_lost_all(const ipvs::ServiceEntry& before, Director& director) {
  for (auto const& destination : before.destinations) {
    auto const name = ipvs::string_from_destination_key(destination.key);
    RC_ASSERT((director.at(vip, name).weight == 0U) == (destination.weight == 0U));
  }
}

void check_cycle(Director& director) {
  auto const before = director.table[0];
  auto const decision = director.cycle();
  check_all_have_verdicts(before, decision.verdicts);
  check_frozen_pool(decision.verdicts);
  check_nobody_lost_all(before, director);
  std::size_t writes = 0;
  for (auto const& verdict : decision.verdicts) {
    check_verdict(verdict, director.config);
    check_silent_verdict(verdict, director.config.defaults.weights.min);
    writes += verdict.write ? 1 : 0;
  }
  std::size_t planned = 0;
  for (auto const& plan : decision.plan)
    planned += plan.changes.size();
  RC_ASSERT(planned == writes);
}

/// kill -9 and a start: what the journal holds is all that is left.
void restart(Director& director) {
  Memory const memory{{}, remembered_from_state(director.state), {}, {}};
  auto remembered = journal_from_text(journal_text(memory)).memory.destinations;
  director.state = {};
  restore_seen(director.state, remembered, director.table);
}

/// What a server says in every cycle; empty: nothing.
using Constant = std::map<std::string, std::optional<std::pair<double, double>>>;

Constant constant_load(const Director& director) {
  Constant load;
  for (auto const& destination : director.table[0].destinations) {
    auto& says = load[ipvs::string_from_ip_address(destination.key.address)];
    if (*rc::gen::inRange(0, 6) != 0) says = std::pair{fraction(), fraction()};
  }
  return load;
}

/// A cycle like the one before; how many weights it wrote.
std::size_t writes_of_cycle(Director& director, const Constant& load,
                            const std::vector<std::uint32_t>& arrivals) {
  auto each = arrivals.begin();
  for (auto& destination : director.table[0].destinations)
    destination.statistics.connections += *each++;
  for (auto const& [server, says] : load) {
    if (says) director.report(server, says->first, says->second);
  }
  auto const before = director.writes;
  (void)director.cycle();
  return director.writes - before;
}

}  // namespace

TEST_CASE("decide: the laws hold in every cycle of a random history") {
  REQUIRE(rc::check([] {
    auto director = random_director();
    for (int cycle = 0; cycle < 25; ++cycle) {
      disturb(director);
      check_cycle(director);
    }
  }));
}

TEST_CASE("decide: bases that nobody else touches never drift") {
  REQUIRE(rc::check([] {
    auto director = random_director();
    std::map<ipvs::DestinationKey, std::uint32_t> first;
    for (auto const& destination : director.table[0].destinations) {
      first[destination.key] = destination.weight;
    }
    first[destination_key("10.0.0.11:80")] = configured_base;
    for (int cycle = 0; cycle < 25; ++cycle) {
      if (*rc::gen::inRange(0, 8) == 0) restart(director);
      for (auto const& destination : director.table[0].destinations) {
        auto const server = ipvs::string_from_ip_address(destination.key.address);
        if (*rc::gen::inRange(0, 4) != 0) director.report(server, fraction(), fraction());
      }
      for (auto const& verdict : director.cycle().verdicts) {
        RC_ASSERT(verdict.base == first.at(verdict.destination));
      }
    }
  }));
}

TEST_CASE("decide: the order of table and history does not matter") {
  REQUIRE(rc::check([] {
    auto director = random_director();
    auto other_service = director.table[0];  // on the same servers
    other_service.service.key = service_key("udp:10.9.9.10:53");
    director.table.push_back(other_service);
    std::mt19937 dice{*rc::gen::arbitrary<std::uint32_t>()};
    for (int cycle = 0; cycle < 6; ++cycle) {
      disturb(director);
      auto shuffled = director;
      std::ranges::shuffle(shuffled.table, dice);
      for (auto& entry : shuffled.table)
        std::ranges::shuffle(entry.destinations, dice);
      auto const one = director.decided();
      auto const other = shuffled.decided();
      RC_ASSERT(one.verdicts == other.verdicts);
      RC_ASSERT(one.next == other.next);
      (void)director.cycle();
    }
  }));
}

TEST_CASE("decide: what stays as it is is at some point not written any more") {
  REQUIRE(rc::check([] {
    auto director = random_director();
    auto const load = constant_load(director);
    std::vector<std::uint32_t> arrivals;
    for (auto& destination : director.table[0].destinations) {
      arrivals.push_back(*rc::gen::inRange(0U, 200U));
      destination.active_connections = *rc::gen::inRange(0U, 50U);
    }
    for (int cycle = 0; cycle < 300; ++cycle)
      writes_of_cycle(director, load, arrivals);
    auto const settled = director.table[0];
    for (int cycle = 0; cycle < 30; ++cycle)
      RC_ASSERT(writes_of_cycle(director, load, arrivals) == 0U);
    for (auto const& destination : settled.destinations) {
      auto const name = ipvs::string_from_destination_key(destination.key);
      RC_ASSERT(director.at(vip, name).weight == destination.weight);
    }
  }));
}
