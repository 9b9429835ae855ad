// Zeros of monitord's own: set only where the operator allowed it, never the last, never more than
// half, and undone when their reason is gone (laws 1, 5, 6).

#include <cstdint>

#include "monitord/journal_text.hpp"
#include "monitord/leaving.hpp"
#include "monitord/remembered.hpp"
#include "support/catch.hpp"
#include "unit/monitord/three_servers.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

constexpr auto web1 = "10.0.0.11:80";
constexpr auto web2 = "10.0.0.12:80";

Director draining_three() {
  auto director = three();
  director.config.defaults.on_silence = SilencePolicy::drain;
  director.config.defaults.agent_drain = true;
  return director;
}

/// Everybody but the first answers.
Decision first_is_silent(Director& director, int cycles) {
  Decision last;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    director.report("10.0.0.12", 0.3, 0.8);
    director.report("10.0.0.13", 0.3, 0.8);
    last = director.cycle();
  }
  return last;
}

void ask_drain(Director& director, std::string_view server, bool drains) {
  director.report(server, 0.3, 0.8);
  director.readings.at(address(server)).draining = drains;
}

}  // namespace

TEST_CASE("own zeros: a server that was heard and falls silent is drained after the hold") {
  auto director = draining_three();
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  auto const before = director.at(vip, web1).weight;
  auto decision = first_is_silent(director, 5);
  CHECK(verdict_of(decision, web1).outcome == Outcome::silent_hold);
  CHECK(director.at(vip, web1).weight == before);
  decision = first_is_silent(director, 2);
  CHECK(director.at(vip, web1).weight == 0);
  CHECK(verdict_of(decision, web1).own_zero == ZeroCause::silence);
  director.writes = 0;
  decision = first_is_silent(director, 20);
  CHECK(verdict_of(decision, web1).outcome == Outcome::silent_drain);
  CHECK(director.at(vip, web1).weight == 0);

  report_all(director, 0.3, 0.3);
  decision = director.cycle();
  CHECK(verdict_of(decision, web1).outcome == Outcome::undrain);
  CHECK(director.at(vip, web1).weight >= 1);
  for (int cycle = 0; cycle < 10; ++cycle) {
    report_all(director, 0.3, 0.3);
    (void)director.cycle();
  }
  CHECK(director.at(vip, web1).weight + 2 >= before);
}

TEST_CASE("own zeros: a server that was never heard is not drained") {
  auto director = draining_three();
  auto const decision = first_is_silent(director, 20);
  CHECK(verdict_of(decision, web1).outcome == Outcome::silent_hold);
  CHECK(director.at(vip, web1).weight == 10);
}

TEST_CASE("own zeros: silence drains never more than half of a pool, whoever drained the rest") {
  auto director = draining_three();
  director.table[0].destinations.push_back(destination("10.0.0.14:80", 10));
  auto const report_half = [&](bool all) {
    for (auto const* server : {"10.0.0.13", "10.0.0.14"})
      director.report(server, 0.3, 0.8);
    if (!all) return;
    for (auto const* server : {"10.0.0.11", "10.0.0.12"})
      director.report(server, 0.3, 0.8);
  };
  report_half(true);
  (void)director.cycle();
  bool const one_is_drained = GENERATE(false, true);
  if (one_is_drained) director.at(vip, "10.0.0.14:80").weight = 0;
  for (int cycle = 0; cycle < 20; ++cycle) {
    report_half(false);
    (void)director.cycle();
  }
  auto const zeros = std::ranges::count(director.table[0].destinations, 0U,
                                        [](auto const& one) { return one.weight; });
  // With one drained by somebody else two of three are silent: the pool is frozen.
  CHECK(zeros == (one_is_drained ? 1 : 2));
}

TEST_CASE("own zeros: of a pool of two with one at 0 the last one is not drained") {
  auto director = prompt_director({service(vip, "wlc", {{web1, 10}, {web2, 0}})});
  director.config.defaults.on_silence = SilencePolicy::drain;
  director.report("10.0.0.11", 0.3, 0.8);
  for (int cycle = 0; cycle < 20; ++cycle)
    (void)director.cycle();
  CHECK(director.at(vip, web1).weight == 10);
}

TEST_CASE("own zeros: hold keeps a silent server's weight for ever") {
  auto director = three();
  director.config.defaults.on_silence = SilencePolicy::hold;
  report_all(director, 0.9, 0.1);
  (void)director.cycle();
  auto const held = director.at(vip, web1).weight;
  REQUIRE(held != 10);
  auto const decision = first_is_silent(director, 50);
  CHECK(verdict_of(decision, web1).outcome == Outcome::silent_hold);
  CHECK(director.at(vip, web1).weight == held);
}

TEST_CASE("own zeros: an agent that asks is drained until it says that it is ready") {
  auto director = draining_three();
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  ask_drain(director, "10.0.0.11", true);
  auto decision = director.cycle();
  CHECK(verdict_of(decision, web1).outcome == Outcome::agent_drain);
  CHECK(director.at(vip, web1).weight == 0);
  // Then it goes down for its maintenance: it has not taken the wish back.
  decision = first_is_silent(director, 20);
  CHECK(verdict_of(decision, web1).outcome == Outcome::agent_drain);
  ask_drain(director, "10.0.0.11", false);
  decision = director.cycle();
  CHECK(verdict_of(decision, web1).outcome == Outcome::undrain);
  CHECK(director.at(vip, web1).weight >= 1);
}

TEST_CASE("own zeros: nobody is asked for a drain that the operator has not allowed") {
  auto director = three();
  for (int cycle = 0; cycle < 10; ++cycle) {
    report_all(director, 0.3, 0.3);
    ask_drain(director, "10.0.0.11", true);
    (void)director.cycle();
  }
  CHECK(director.at(vip, web1).weight > 1);
}

TEST_CASE("own zeros: agents that all ask leave half of the pool") {
  auto director = draining_three();
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  for (int cycle = 0; cycle < 10; ++cycle) {
    for (auto const* server : {"10.0.0.11", "10.0.0.12", "10.0.0.13"})
      ask_drain(director, server, true);
    (void)director.cycle();
  }
  auto const zeros = std::ranges::count(director.table[0].destinations, 0U,
                                        [](auto const& one) { return one.weight; });
  CHECK(zeros == 1);
}

TEST_CASE("own zeros: over a restart they are still monitord's own, and those of others are not") {
  auto director = draining_three();
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  (void)first_is_silent(director, 10);
  REQUIRE(director.at(vip, web1).weight == 0);
  director.at(vip, web2).weight = 0;
  auto remembered = remembered_from_state(director.state);

  director.state = {};
  restore_seen(director.state, remembered, director.table);
  report_all(director, 0.1, 0.1);
  auto const decision = director.cycle();
  CHECK(verdict_of(decision, web1).outcome == Outcome::undrain);
  CHECK(director.at(vip, web1).weight >= 1);
  CHECK(director.at(vip, web1).weight <= 10);
  CHECK(verdict_of(decision, web1).base == 10);
  CHECK(verdict_of(decision, web2).outcome == Outcome::drained);
  CHECK(director.at(vip, web2).weight == 0);
}

TEST_CASE("own zeros: a zero that was written down but never reached the kernel is nobody's") {
  // Killed between the intent and the write; then somebody else sets 0.
  auto const [kernel, drained] = GENERATE(table<std::uint32_t, bool>({{8, false}, {0, true}}));
  std::vector const table{service(vip, "wlc", {{web1, kernel}, {web2, 10}})};
  Remembered remembered{
      {{service_key(vip), destination_key(web1)}, {10, false, 8, 0, ZeroCause::silence}}};
  State state;
  restore_seen(state, remembered, table);
  auto const decision = decide(state, {1000s, table, {}, {}}, Config{});
  auto const& next =
      decision.next.services.at(service_key(vip)).destinations.at(destination_key(web1));
  CHECK(next.own_zero.has_value() == drained);
  CHECK(next.base == 10);
}

TEST_CASE("own zeros: with the end of monitord they end, and everything else stays") {
  auto director = draining_three();
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  (void)first_is_silent(director, 10);
  REQUIRE(director.at(vip, web1).weight == 0);
  director.at(vip, "10.0.0.13:80").weight = 7;
  (void)first_is_silent(director, 1);
  auto const plan = leaving_plan(director.state, director.table, director.config);
  REQUIRE(plan.size() == 1);
  REQUIRE(plan[0].changes.size() == 1);
  CHECK(plan[0].changes[0].destination == destination_key(web1));
  CHECK(plan[0].changes[0].to == 10);
}

TEST_CASE("own zeros: on_exit restore puts every base back but those of others") {
  auto director = three();
  director.config.on_exit = ExitPolicy::restore;
  report_all(director, 0.9, 0.1);
  (void)director.cycle();
  (void)director.cycle();
  director.at(vip, web2).weight = 0;
  auto const plan = leaving_plan(director.state, director.table, director.config);
  REQUIRE(plan.size() == 1);
  for (auto const& change : plan[0].changes) {
    CHECK(change.destination != destination_key(web2));
    CHECK(change.to == 10);
  }
  CHECK_FALSE(plan[0].changes.empty());
  director.config.on_exit = ExitPolicy::keep;
  CHECK(leaving_plan(director.state, director.table, director.config).empty());
}

TEST_CASE("own zeros: who was drained for its silence comes back when nobody else is left") {
  auto director = draining_three();
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  (void)first_is_silent(director, 8);
  REQUIRE(director.at(vip, web1).weight == 0);
  // Somebody else takes the other two out: a check that failed.
  director.at(vip, web2).weight = 0;
  director.at(vip, "10.0.0.13:80").weight = 0;
  (void)first_is_silent(director, 2);
  CHECK(director.at(vip, web1).weight > 0);
  CHECK(director.at(vip, web2).weight == 0);
}

TEST_CASE("own zeros: whoever raises one has the last word until its reason is gone") {
  bool const by_order = GENERATE(false, true);
  auto director = draining_three();
  auto const cycle = [&](bool asks) {
    report_all(director, 0.3, 0.8);
    ask_drain(director, "10.0.0.11", asks);
    (void)director.cycle();
    return director.at(vip, web1).weight;
  };
  (void)cycle(false);
  REQUIRE(cycle(true) == 0);
  if (by_order) {
    REQUIRE(director.order({Order::Kind::undrain, service_key(vip), destination_key(web1), 0, {}}));
  } else {
    director.at(vip, web1).weight = 10;
  }
  for (int i = 0; i < 10; ++i)
    CHECK(cycle(true) > 0);
  CHECK(cycle(false) > 0);
  CHECK(cycle(true) == 0);  // asked anew
}

TEST_CASE("own zeros: who was raised stays raised over a restart") {
  auto director = draining_three();
  ask_drain(director, "10.0.0.11", false);
  report_all(director, 0.3, 0.8);
  (void)director.cycle();
  report_all(director, 0.3, 0.8);
  ask_drain(director, "10.0.0.11", true);
  (void)director.cycle();
  REQUIRE(director.at(vip, web1).weight == 0);
  director.at(vip, web1).weight = 10;
  report_all(director, 0.3, 0.8);
  ask_drain(director, "10.0.0.11", true);
  (void)director.cycle();

  auto const memory = Memory{"boot", remembered_from_state(director.state), {}, {}};
  auto remembered = journal_from_text(journal_text(memory)).memory.destinations;
  director.state = {};
  restore_seen(director.state, remembered, director.table);
  for (int cycle = 0; cycle < 5; ++cycle) {
    report_all(director, 0.3, 0.8);
    ask_drain(director, "10.0.0.11", true);
    (void)director.cycle();
    CHECK(director.at(vip, web1).weight > 0);
  }
}

TEST_CASE("own zeros: in a frozen pool nobody who answers is drained because it asks") {
  auto director = draining_three();
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  for (int cycle = 0; cycle < 10; ++cycle) {
    ask_drain(director, "10.0.0.11", cycle > 6);
    auto const decision = director.cycle();
    if (cycle > 6) CHECK(verdict_of(decision, web1).outcome == Outcome::frozen);
    CHECK(director.at(vip, web1).weight > 0);
  }
}

TEST_CASE("own zeros: who comes back where nobody steers gets the whole base") {
  bool const standby = GENERATE(false, true);
  auto director = three();
  auto const cycles = [&](int count) {
    for (int cycle = 0; cycle < count; ++cycle) {
      report_all(director, 0.3, 0.3);
      (void)director.cycle();
    }
  };
  auto const order = [&](Order::Kind kind) {
    return director.order({kind, service_key(vip), destination_key(web2), 0, {}});
  };
  cycles(2);
  REQUIRE(order(Order::Kind::drain));
  cycles(2);
  REQUIRE(director.at(vip, web2).weight == 0);
  if (standby) {
    director.serves = false;
    cycles(10);
  } else {
    REQUIRE(director.order({Order::Kind::restore, service_key(vip), {}, 0, {}}));
    cycles(4);
  }
  REQUIRE(order(Order::Kind::undrain));
  cycles(5);
  CHECK(director.at(vip, web2).weight == 10);
}

TEST_CASE("own zeros: what is gone at a restart and comes back at 0 belongs to who brought it") {
  Remembered remembered;
  DestinationId const id{service_key(vip), destination_key(web1)};
  remembered[id] = {.base = 10, .weight = 0, .intended = 0, .own_zero = ZeroCause::agent};
  forget_zeros_of_absent(remembered);
  CHECK(remembered.at(id) == RememberedDestination{.base = 10, .weight = 0});
}

TEST_CASE("own zeros: the end of monitord leaves pins and drains by hand alone") {
  auto director = draining_three();
  director.config.on_exit = ExitPolicy::restore;
  report_all(director, 0.3, 0.3);
  (void)director.cycle();
  REQUIRE(director.order({Order::Kind::pin, service_key(vip), destination_key(web2), 3, {}}));
  ask_drain(director, "10.0.0.11", true);
  (void)director.cycle();
  REQUIRE(director.order({Order::Kind::drain, service_key(vip), destination_key(web1), 0, {}}));
  (void)director.cycle();
  REQUIRE(director.at(vip, web1).weight == 0);
  REQUIRE(director.at(vip, web2).weight == 3);
  for (auto const& service : leaving_plan(director.state, director.table, director.config)) {
    for (auto const& change : service.changes) {
      CHECK(change.destination != destination_key(web1));
      CHECK(change.destination != destination_key(web2));
    }
  }
}
