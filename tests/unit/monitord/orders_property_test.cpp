// Random histories with orders by hand and zeros of monitord's own: whatever is ordered, configured
// and disturbed, a 0 of somebody else's is never written, a pool is never driven to all 0, and
// bases stay (laws 1, 5, 7).

#include <rapidcheck.h>

#include <algorithm>
#include <map>
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
using Kind = Order::Kind;

namespace {

constexpr auto vip = "tcp:10.9.9.9:80";

/// A director, and beside it whose the zeros are.
struct History {
  Director director{};
  std::set<ipvs::DestinationKey> foreign_zeros{};
  std::map<ipvs::DestinationKey, std::uint32_t> bases{};  ///< configured ones only

  std::vector<ipvs::Destination>& pool() { return director.table[0].destinations; }
};

History random_history() {
  History history;
  auto& config = history.director.config;
  config.defaults.strategy = *rc::gen::element(StrategyKind::capacity, StrategyKind::headroom,
                                               StrategyKind::feedback, StrategyKind::linear);
  config.defaults.on_silence =
      *rc::gen::element(SilencePolicy::hold, SilencePolicy::base, SilencePolicy::drain);
  config.defaults.foreign = *rc::gen::element(ForeignPolicy::adopt, ForeignPolicy::reassert);
  config.defaults.agent_drain = *rc::gen::arbitrary<bool>();
  config.hold_polls = *rc::gen::inRange(0U, 4U);
  std::vector<std::pair<std::string, std::uint32_t>> pool;
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i)
    pool.emplace_back("10.0.0." + std::to_string(10 + i) + ":80", *rc::gen::inRange(0U, 30U));
  history.director.table = {service(vip, *rc::gen::element("wrr", "wlc", "sed"), pool)};
  for (auto const& one : history.pool()) {
    if (one.weight == 0) history.foreign_zeros.insert(one.key);
    if (*rc::gen::arbitrary<bool>()) continue;
    auto const base = *rc::gen::inRange(1U, 40U);
    history.bases[one.key] = base;
    config.servers[one.key.address].base = base;
  }
  return history;
}

void somebody_writes(History& history, ipvs::Destination& destination) {
  auto const before = std::exchange(destination.weight,
                                    *rc::gen::arbitrary<bool>() ? 0 : *rc::gen::inRange(1U, 40U));
  // A 0 over a 0 is nothing that anybody could see.
  if (destination.weight == before) return;
  if (destination.weight == 0) {
    history.foreign_zeros.insert(destination.key);
  } else {
    history.foreign_zeros.erase(destination.key);
  }
}

void somebody_orders(History& history) {
  Order order;
  order.kind = *rc::gen::element(Kind::pause, Kind::resume, Kind::restore, Kind::pin, Kind::unpin,
                                 Kind::drain, Kind::undrain, Kind::forget);
  order.service = service_key(vip);
  bool const is_about_all =
      order.kind == Kind::pause || order.kind == Kind::resume || order.kind == Kind::restore;
  if (!is_about_all) order.destination = (*rc::gen::elementOf(history.pool())).key;
  order.weight = *rc::gen::inRange(1U, 50U);
  if (*rc::gen::arbitrary<bool>()) order.lasting = 5s;
  (void)history.director.order(order);
}

void disturb(History& history) {
  for (auto& destination : history.pool()) {
    destination.statistics.connections += *rc::gen::inRange(0U, 100U);
    destination.active_connections = *rc::gen::inRange(0U, 20U);
    if (*rc::gen::inRange(0, 8) == 0) somebody_writes(history, destination);
    if (*rc::gen::inRange(0, 3) == 0) continue;  // silent
    auto const server = ipvs::string_from_ip_address(destination.key.address);
    history.director.report(server, *rc::gen::inRange(0, 101) / 100.0, 0.5);
    history.director.readings.at(destination.key.address).draining = *rc::gen::inRange(0, 5) == 0;
  }
  if (*rc::gen::inRange(0, 4) == 0) somebody_orders(history);
}

/// kill -9 and a start.
void restart(Director& director) {
  Memory const memory{{}, remembered_from_state(director.state), {}, director.state.orders};
  auto content = journal_from_text(journal_text(memory));
  RC_ASSERT(content.fault == JournalContent::Fault::none);
  director.state = {};
  director.state.orders = content.memory.orders;
  set_pin_ends(director.state.orders, director.now, 0);
  restore_seen(director.state, content.memory.destinations, director.table);
}

std::ptrdiff_t weighted(const std::vector<ipvs::Destination>& pool) {
  return std::ranges::count_if(pool, [](auto const& one) { return one.weight > 0; });
}

void check_cycle(History& history) {
  auto const before = history.pool();
  auto const decision = history.director.cycle();
  for (auto const& verdict : decision.verdicts) {
    RC_ASSERT(!reason_of(verdict).empty());
    auto const configured = history.bases.find(verdict.destination);
    if (configured != history.bases.end()) RC_ASSERT(verdict.base == configured->second);
    if (!verdict.write) continue;
    RC_ASSERT(!history.foreign_zeros.contains(verdict.destination));
    RC_ASSERT(*verdict.write != verdict.current);
    if (*verdict.write == 0U) RC_ASSERT(verdict.own_zero.has_value());
  }
  if (weighted(before) > 0) RC_ASSERT(weighted(history.pool()) > 0);
}

}  // namespace

TEST_CASE("orders: in random histories no zero of somebody else's is written and no pool is at 0") {
  REQUIRE(rc::check("laws 1, 5 and 7", [] {
    auto history = random_history();
    for (int cycle = 0; cycle < 40; ++cycle) {
      disturb(history);
      check_cycle(history);
      if (*rc::gen::inRange(0, 15) == 0) restart(history.director);
    }
  }));
}
