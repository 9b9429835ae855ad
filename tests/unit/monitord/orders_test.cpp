// What people order comes first, is written exactly, and stands until it is taken back.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "monitord/reasons.hpp"
#include "monitord/remembered.hpp"
#include "support/catch.hpp"
#include "unit/monitord/three_servers.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using Kind = Order::Kind;

namespace {

constexpr auto web1 = "10.0.0.11:80";
constexpr auto web2 = "10.0.0.12:80";
constexpr auto web3 = "10.0.0.13:80";

Order about(Kind kind) {
  return {kind, {}, {}, 0, {}};
}

Order about_service(Kind kind) {
  return {kind, service_key(vip), {}, 0, {}};
}

Order about(Kind kind, std::string_view destination, std::uint32_t weight = 0) {
  return {kind, service_key(vip), destination_key(destination), weight, {}};
}

/// Cycles in which the first server is loaded and the others are not.
Decision unequal_cycles(Director& director, int count = 1) {
  Decision last;
  for (int cycle = 0; cycle < count; ++cycle) {
    report_all(director, 0.9, 0.1);
    last = director.cycle();
  }
  return last;
}

std::vector<std::uint32_t> weights(Director& director) {
  return {director.at(vip, web1).weight, director.at(vip, web2).weight,
          director.at(vip, web3).weight};
}

}  // namespace

TEST_CASE("orders: nothing is written while a service or everything is paused") {
  auto const order = GENERATE(about(Kind::pause), about_service(Kind::pause));
  auto director = three();
  (void)unequal_cycles(director);
  auto const before = weights(director);
  REQUIRE(director.order(order).has_value());
  director.writes = 0;
  for (int cycle = 0; cycle < 20; ++cycle) {
    report_all(director, cycle % 2 == 0 ? 0.1 : 0.9, 0.5);
    auto const decision = director.cycle();
    for (auto const& verdict : decision.verdicts)
      CHECK(verdict.outcome == Outcome::paused);
  }
  CHECK(director.writes == 0);
  CHECK(weights(director) == before);
  REQUIRE(director.order(about(Kind::resume)).has_value());
  report_all(director, 0.1, 0.9);
  (void)director.cycle();
  CHECK(director.writes > 0);
}

TEST_CASE("orders: one service resumes alone, but not out of a pause of everything") {
  auto director = three();
  (void)unequal_cycles(director);
  REQUIRE(director.order(about_service(Kind::pause)).has_value());
  REQUIRE(director.order(about_service(Kind::resume)).has_value());
  CHECK(director.state.orders == Orders{});
  CHECK_FALSE(director.order(about_service(Kind::resume)).has_value());
  REQUIRE(director.order(about(Kind::pause)).has_value());
  auto const refused = director.order(about_service(Kind::resume));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().hint.find("`monitorctl resume`") != std::string::npos);
}

TEST_CASE("orders: restore puts the bases back in one cycle and then keeps its hands off") {
  auto director = three();
  (void)unequal_cycles(director, 3);
  REQUIRE(director.at(vip, web1).weight != 10);
  director.at(vip, web2).weight = 0;  // somebody's zero
  REQUIRE(director.order(about(Kind::restore)).has_value());
  auto const decision = unequal_cycles(director);
  CHECK(verdict_of(decision, web1).outcome == Outcome::restoring);
  CHECK(weights(director) == std::vector<std::uint32_t>{10, 0, 10});
  director.writes = 0;
  auto const later = unequal_cycles(director, 10);
  CHECK(verdict_of(later, web1).outcome == Outcome::paused);
  CHECK(director.writes == 0);
}

TEST_CASE("orders: restore writes a difference that the boundary would have let pass") {
  auto director = three();
  (void)director.cycle();
  director.at(vip, web1).weight = 11;
  director.state.services.at(service_key(vip)).destinations.at(destination_key(web1)).last_weight =
      11;
  REQUIRE(director.order(about_service(Kind::restore)).has_value());
  (void)director.cycle();
  CHECK(director.at(vip, web1).weight == 10);
}

TEST_CASE("orders: restore does not fight somebody who writes meanwhile") {
  auto director = three();
  (void)unequal_cycles(director, 3);
  REQUIRE(director.order(about(Kind::restore)).has_value());
  (void)director.cycle();
  director.writes = 0;
  director.at(vip, web1).weight = 33;
  for (int cycle = 0; cycle < 5; ++cycle)
    (void)director.cycle();
  CHECK(director.at(vip, web1).weight == 33);
  CHECK(director.writes == 0);
}

TEST_CASE("orders: a pinned weight is written once and stays whatever the load") {
  auto director = three();
  (void)unequal_cycles(director);
  REQUIRE(director.order(about(Kind::pin, web1, 9)).has_value());
  for (int cycle = 0; cycle < 10; ++cycle) {
    auto const decision = unequal_cycles(director);
    CHECK(verdict_of(decision, web1).outcome == Outcome::pinned);
    CHECK(verdict_of(decision, web1).write.has_value() == (cycle == 0));
    CHECK(director.at(vip, web1).weight == 9);
  }
  REQUIRE(director.order(about(Kind::unpin, web1)).has_value());
  (void)unequal_cycles(director);
  CHECK(director.at(vip, web1).weight < 9);
  CHECK_FALSE(director.order(about(Kind::unpin, web1)).has_value());
}

TEST_CASE("orders: a pin raises nobody who is silent") {
  auto director = prompt_director({service(vip, "wlc", {{web1, 1}, {web2, 1}})});
  director.report("10.0.0.11", 0.3, 0.8);
  director.report("10.0.0.12", 0.3, 0.8);
  (void)director.cycle();
  REQUIRE(director.order(about(Kind::pin, web1, 7)).has_value());
  for (int cycle = 0; cycle < 20; ++cycle) {
    director.report("10.0.0.11", 0.3, 0.8);
    (void)director.cycle();
  }
  CHECK(director.at(vip, web1).weight == 7);
  CHECK(director.at(vip, web2).weight == 1);
}

TEST_CASE("orders: a pin with a time ends by itself") {
  auto director = three();
  (void)unequal_cycles(director);
  auto pin = about(Kind::pin, web1, 9);
  pin.lasting = 10s;
  REQUIRE(director.order(pin).has_value());
  auto decision = unequal_cycles(director, 5);
  CHECK(verdict_of(decision, web1).outcome == Outcome::pinned);
  decision = unequal_cycles(director);
  CHECK(verdict_of(decision, web1).outcome != Outcome::pinned);
  REQUIRE_FALSE(decision.notes.empty());
  CHECK(decision.notes[0].find("10.0.0.11:80") != std::string::npos);
}

TEST_CASE("orders: a pin gives way to whoever writes another weight, and says so") {
  auto director = three();
  (void)unequal_cycles(director);
  REQUIRE(director.order(about(Kind::pin, web1, 9)).has_value());
  (void)unequal_cycles(director);
  director.at(vip, web1).weight = 20;
  auto const decision = unequal_cycles(director);
  CHECK(verdict_of(decision, web1).outcome == Outcome::foreign);
  CHECK(decision.notes.at(0).find("somebody else set its weight to 20") != std::string::npos);
  CHECK(director.state.orders.pins.empty());
}

TEST_CASE("orders: a pinned server that somebody drains stays drained, and pinned afterwards") {
  auto director = three();
  (void)unequal_cycles(director);
  REQUIRE(director.order(about(Kind::pin, web1, 9)).has_value());
  (void)unequal_cycles(director);
  director.at(vip, web1).weight = 0;
  auto const decision = unequal_cycles(director, 5);
  CHECK(verdict_of(decision, web1).outcome == Outcome::drained);
  CHECK(director.at(vip, web1).weight == 0);
  CHECK(director.state.orders.pins.size() == 1);
}

TEST_CASE("orders: a drain by hand is a zero that stands until it is taken back") {
  auto director = three();
  (void)unequal_cycles(director);
  REQUIRE(director.order(about(Kind::drain, web2)).has_value());
  auto decision = unequal_cycles(director);
  CHECK(verdict_of(decision, web2).outcome == Outcome::hand_drain);
  CHECK(verdict_of(decision, web2).own_zero == ZeroCause::hand);
  CHECK(director.at(vip, web2).weight == 0);
  decision = unequal_cycles(director, 20);
  CHECK(verdict_of(decision, web2).outcome == Outcome::hand_drain);
  CHECK_FALSE(verdict_of(decision, web2).write.has_value());

  REQUIRE(director.order(about(Kind::undrain, web2)).has_value());
  decision = unequal_cycles(director);
  CHECK(verdict_of(decision, web2).outcome == Outcome::undrain);
  CHECK(director.at(vip, web2).weight >= 1);
  CHECK(director.at(vip, web2).weight < 10);  // slow start
  decision = unequal_cycles(director, 10);
  CHECK(director.at(vip, web2).weight >= 8);
  CHECK(verdict_of(decision, web2).base == 10);
}

TEST_CASE("orders: the last server with a weight is not drained") {
  auto director = three();
  (void)unequal_cycles(director);
  director.at(vip, web3).weight = 0;
  (void)unequal_cycles(director);
  REQUIRE(director.order(about(Kind::drain, web2)).has_value());
  auto const refused = director.order(about(Kind::drain, web1));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find("last one") != std::string::npos);
  // The order stands, and somebody else takes the rest away before it is carried out.
  director.at(vip, web1).weight = 0;
  auto const decision = unequal_cycles(director);
  CHECK(verdict_of(decision, web2).outcome == Outcome::hand_drain);
  CHECK(reason_of(verdict_of(decision, web2)).find("not set to 0") != std::string::npos);
  CHECK(director.at(vip, web2).weight > 0);
}

TEST_CASE("orders: whoever raises a server that was drained by hand ends the drain") {
  auto director = three();
  (void)unequal_cycles(director);
  REQUIRE(director.order(about(Kind::drain, web2)).has_value());
  (void)unequal_cycles(director, 3);
  director.at(vip, web2).weight = 10;
  auto const decision = unequal_cycles(director);
  CHECK(verdict_of(decision, web2).outcome == Outcome::foreign);
  CHECK(director.state.orders.drains.empty());
  CHECK(decision.notes.size() == 1);
  (void)unequal_cycles(director, 3);
  CHECK(director.at(vip, web2).weight > 0);
}

TEST_CASE("orders: a zero of somebody else's is neither drained nor undrained nor pinned") {
  auto director = three();
  director.at(vip, web1).weight = 0;
  (void)unequal_cycles(director);
  for (auto const kind : {Kind::drain, Kind::undrain, Kind::pin}) {
    auto const refused = director.order(about(kind, web1, 5));
    REQUIRE_FALSE(refused.has_value());
    CHECK_FALSE(refused.error().hint.empty());
  }
  CHECK(director.state.orders == Orders{});
}

TEST_CASE("orders: what is not there or not managed is refused with what to do") {
  auto director = three();
  (void)unequal_cycles(director);
  Order wrong_service = about(Kind::drain, web1);
  wrong_service.service = service_key("tcp:10.9.9.9:81");
  CHECK(director.order(wrong_service).error().message.find("no service") != std::string::npos);
  CHECK(director.order(about(Kind::drain, "10.0.0.99:80")).error().message.find("no destination") !=
        std::string::npos);
  director.config.services.emplace();
  CHECK(director.order(about(Kind::drain, web1)).error().message.find("not managed") !=
        std::string::npos);
}

TEST_CASE("orders: a pin after a restore does not keep it under way") {
  auto director = three();
  (void)unequal_cycles(director, 2);
  for (auto const* server : {"10.0.0.11", "10.0.0.12", "10.0.0.13"})
    director.config.servers[address(server)].base = 10;
  REQUIRE(director.order(about_service(Kind::restore)).has_value());
  REQUIRE(director.order(about(Kind::pin, web1, 3)).has_value());
  (void)unequal_cycles(director, 3);
  CHECK(director.state.orders.pauses.at(service_key(vip)) == Pause::paused);
  CHECK(director.at(vip, web1).weight == 3);
  director.at(vip, web2).weight = 7;  // somebody else's, and it stays
  (void)unequal_cycles(director, 3);
  CHECK(director.at(vip, web2).weight == 7);
}

TEST_CASE("orders: a restore takes pins back and leaves drains by hand") {
  auto director = three();
  (void)unequal_cycles(director);
  REQUIRE(director.order(about(Kind::pin, web1, 9)).has_value());
  REQUIRE(director.order(about(Kind::drain, web2)).has_value());
  (void)unequal_cycles(director, 2);
  auto const said = director.order(about(Kind::restore));
  REQUIRE(said.has_value());
  CHECK(said->find("pins taken back: 1") != std::string::npos);
  (void)unequal_cycles(director, 5);
  CHECK(weights(director) == std::vector<std::uint32_t>{10, 0, 10});
}

TEST_CASE("orders: a drain by hand takes over a zero that was monitord's own already") {
  auto director = three();
  director.config.defaults.agent_drain = true;
  for (int cycle = 0; cycle < 5; ++cycle) {
    report_all(director, 0.5, 0.5);
    director.readings.at(address("10.0.0.11")).draining = true;
    (void)director.cycle();
  }
  REQUIRE(weights(director)[0] == 0);
  REQUIRE(director.order(about(Kind::drain, web1)).has_value());
  CHECK(director.state.services.at(service_key(vip))
            .destinations.at(destination_key(web1))
            .own_zero == ZeroCause::hand);
  (void)unequal_cycles(director, 20);  // its agent asks no more
  CHECK(weights(director)[0] == 0);
  director.at(vip, web1).weight = 7;  // somebody else ends it
  (void)unequal_cycles(director, 1);
  CHECK(director.state.orders.drains.empty());
  CHECK(weights(director)[0] == 7);
}

TEST_CASE("orders: a drain of what is not in the table can be taken back") {
  auto director = three();
  REQUIRE(director.order(about(Kind::drain, web1)).has_value());
  std::erase_if(director.table[0].destinations,
                [](auto const& one) { return one.key == destination_key(web1); });
  REQUIRE(director.order(about(Kind::undrain, web1)).has_value());
  CHECK(director.state.orders.drains.empty());
  CHECK_FALSE(director.order(about(Kind::undrain, web1)).has_value());
}

TEST_CASE("orders: what is forgotten does not come back with older lessons") {
  auto director = three();
  Learned learned;
  learned.servers[address("10.0.0.11")] = {{.work = 100, .load = 1, .samples = 9}, 900};
  REQUIRE(director.order(about(Kind::forget, web1)).has_value());
  CHECK(take_learned(director.state, learned, director.table, director.now, 1000) == 0);
  learned.servers[address("10.0.0.11")] = {{.work = 100, .load = 1, .samples = 9}, 1001};
  CHECK(take_learned(director.state, learned, director.table, director.now + 5s, 1005) == 1);
}

TEST_CASE("orders: forgetting makes a server learn anew") {
  auto director = three();
  director.config.defaults.strategy = StrategyKind::capacity;
  for (int cycle = 0; cycle < 40; ++cycle) {
    for (auto& destination : director.table[0].destinations)
      destination.statistics.connections += 100;
    report_all(director, 0.8, 0.4);
    (void)director.cycle();
  }
  REQUIRE(director.state.servers.at(address("10.0.0.11")).model.work > 0);
  REQUIRE(director.order(about(Kind::forget, web1)).has_value());
  CHECK(director.state.servers.at(address("10.0.0.11")).model == loadcalc::ServerModel{});
  CHECK(director.state.servers.at(address("10.0.0.12")).model.work > 0);
  REQUIRE(director.order(about_service(Kind::forget)).has_value());
  for (auto const& [server, known] : director.state.servers)
    CHECK(known.model == loadcalc::ServerModel{});
  CHECK(director.state.servers.size() == 3);
}
