// Random histories of one pool: readings come and go, connections start and end, others write
// weights and take destinations away. The laws hold in every cycle of every history.

#include <rapidcheck.h>

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
      *rc::gen::element(StrategyKind::capacity, StrategyKind::headroom);
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
  RC_ASSERT(!verdict.reason.empty());
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

void check_cycle(Director& director) {
  auto const before = director.table[0];
  auto const decision = director.cycle();
  RC_ASSERT(decision.verdicts.size() == before.destinations.size());
  std::size_t writes = 0;
  for (auto const& verdict : decision.verdicts) {
    check_verdict(verdict, director.config);
    writes += verdict.write ? 1 : 0;
  }
  std::size_t planned = 0;
  for (auto const& plan : decision.plan)
    planned += plan.changes.size();
  RC_ASSERT(planned == writes);
  for (auto const& destination : before.destinations) {
    if (destination.weight != 0) continue;
    auto const name = ipvs::string_from_destination_key(destination.key);
    RC_ASSERT(director.at(vip, name).weight == 0U);
  }
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
    for (int cycle = 0; cycle < 6; ++cycle) {
      disturb(director);
      auto shuffled = director;
      std::ranges::reverse(shuffled.table[0].destinations);
      auto const one = director.decided();
      auto const other = shuffled.decided();
      RC_ASSERT(one.verdicts == other.verdicts);
      RC_ASSERT(one.next == other.next);
      (void)director.cycle();
    }
  }));
}
