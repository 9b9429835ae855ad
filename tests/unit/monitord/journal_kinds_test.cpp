// The journal's lines about lessons and orders, and what a reboot leaves of it.

#include <rapidcheck.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "director.hpp"
#include "monitord/journal_text.hpp"
#include "support/catch.hpp"

using namespace lvs::monitord;
using lvs::monitord::testing::address;
using lvs::monitord::testing::destination_key;
using lvs::monitord::testing::service;
using lvs::monitord::testing::service_key;
using namespace std::chrono_literals;
using Fault = JournalContent::Fault;

namespace {

const auto vip = service_key("tcp 10.9.9.9:80");
const DestinationId web1{vip, destination_key("10.0.0.11:80")};
const auto server1 = address("10.0.0.11");

lvs::loadcalc::ServerModel any_model() {
  auto const number = [] { return *rc::gen::inRange(0, 100000) / 8.0; };
  auto const share = [] { return *rc::gen::inRange(0, 64) / 64.0; };
  auto const count = [] { return *rc::gen::inRange<std::uint32_t>(0, 1000); };
  lvs::loadcalc::ServerModel model{number(),           number(),          number(), number(),
                                   number(),           count(),           number(), count(),
                                   {share(), share()}, {share(), share()}};
  // What a window still owes: long connections are counted before they show up as open.
  model.work -= number();
  model.work_short -= number();
  return model;
}

DestinationId any_id() {
  auto id = web1;
  id.destination.port = *rc::gen::inRange<std::uint16_t>(1, 5);
  return id;
}

Learned any_learned() {
  Learned learned;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    auto key = server1;
    key.bytes[3] = *rc::gen::inRange<std::uint8_t>(1, 5);
    learned.servers[key] = {any_model(), *rc::gen::inRange(0, 2000000000) / 4.0};
  }
  if (*rc::gen::arbitrary<bool>()) learned.ratio_exponents[vip] = *rc::gen::inRange(1, 30) / 16.0;
  return learned;
}

Orders any_orders() {
  Orders orders;
  auto const pause = [] { return *rc::gen::arbitrary<bool>() ? Pause::paused : Pause::restoring; };
  if (*rc::gen::arbitrary<bool>()) orders.everything = pause();
  if (*rc::gen::arbitrary<bool>()) orders.pauses[vip] = pause();
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    Pin pin{*rc::gen::inRange<std::uint32_t>(1, 65536), {}, {}};
    if (*rc::gen::arbitrary<bool>()) pin.until_wall = *rc::gen::inRange(0, 2000000000) / 4.0;
    orders.pins[any_id()] = pin;
  }
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
    orders.drains.insert(any_id());
  return orders;
}

}  // namespace

TEST_CASE("journal: lessons and orders that are written are read again") {
  REQUIRE(rc::check("lines between two memories lead from one to the other", [] {
    Memory const before{"boot", {}, any_learned(), any_orders()};
    Memory const after{"boot", {}, any_learned(), any_orders()};
    auto const content =
        journal_from_text(journal_text(before) + journal_lines_between(before, after));
    RC_ASSERT(content.fault == Fault::none);
    RC_ASSERT(content.memory == after);
    RC_ASSERT(journal_lines_between(after, after).empty());
  }));
}

TEST_CASE("journal: a line about an order that cannot be is a fault") {
  auto const bad =
      GENERATE(as<std::string>{}, R"({"order":"dance","service":null})", R"({"order":"pause"})",
               R"({"order":"pause","service":"web"})", R"({"order":"pin","service":"fwm 7"})",
               R"({"order":"pin","service":"fwm 7","destination":"10.0.0.1:80"})",
               R"({"order":"pin","service":"fwm 7","destination":"10.0.0.1:80","weight":0})",
               R"({"order":"drain","service":"fwm 7"})");
  auto const content = journal_from_text(journal_header() + bad + "\n");
  CHECK(content.fault == Fault::corrupt);
  CHECK(content.line == 2);
}

TEST_CASE("journal: a lesson that cannot be used costs nothing but itself") {
  auto const bad = GENERATE(as<std::string>{}, R"({"server":"web"})", R"({"server":"10.0.0.1"})",
                            R"({"server":"10.0.0.1","at":1,"model":{}})",
                            R"({"server":"10.0.0.1","at":1,"model":{"work":-1}})",
                            R"({"service":"fwm 7","ratio_exponent":-1})",
                            R"({"service":"web","ratio_exponent":1})");
  Memory memory{"boot", {{web1, {10, false, 0, {}, ZeroCause::hand}}}, {}, {}};
  memory.orders.drains.insert(web1);
  auto const content = journal_from_text(journal_text(memory) + bad + "\n");
  CHECK(content.fault == Fault::none);
  CHECK(content.unusable_lessons == 1);
  CHECK(content.memory == memory);
}

TEST_CASE("journal: a window that owes work is written and read again") {
  Memory memory;
  auto& model = memory.learned.servers[server1].model;
  model.work = -3;
  model.load = 1;
  model.work_short = -20;
  model.load_short = 1;
  auto const content = journal_from_text(journal_text(memory));
  CHECK(content.fault == Fault::none);
  CHECK(content.unusable_lessons == 0);
  CHECK(content.memory == memory);
}

TEST_CASE("journal: numbers of a lesson come back but for their last place") {
  // Boost.JSON before 1.84 rounds some numbers of 16 and more digits to a neighbour.
  const double third = 10.0 / 3;
  Memory memory;
  for (std::uint8_t i = 1; i <= 100; ++i) {
    auto key = server1;
    key.bytes[3] = i;
    lvs::loadcalc::ServerModel model;
    model.work = third * i;
    model.samples = i;
    memory.learned.servers[key] = {model, 1764500000.0 + third * i};
  }
  const auto read = journal_from_text(journal_text(memory));
  REQUIRE(read.fault == Fault::none);
  REQUIRE(read.memory.learned.servers.size() == 100);
  for (const auto& [key, server] : memory.learned.servers) {
    const auto& again = read.memory.learned.servers.at(key);
    CHECK(again.model.work == Approx(server.model.work).epsilon(1e-14));
    CHECK(again.at == Approx(server.at).epsilon(1e-14));
    CHECK(again.model.samples == server.model.samples);
  }
}

TEST_CASE("journal: the first version is still understood") {
  auto const content = journal_from_text(
      "{\"monitord_journal\":1}\n"
      R"({"service":"tcp 10.9.9.9:80","destination":"10.0.0.11:80","base":10,"weight":8})"
      "\n");
  REQUIRE(content.fault == Fault::none);
  CHECK(content.memory.boot.empty());
  CHECK(content.memory.destinations.at(web1) == RememberedDestination{10, false, 8, {}, {}});
}

TEST_CASE("remembered: of another boot only lessons and orders count") {
  auto const [now, kept] = GENERATE(table<std::string, bool>({
      {"this", true},
      {"another", false},
      {"", true},  // not known: better two bases too many than one lost
  }));
  Memory memory{"this", {{web1, {10, false, 0, {}, ZeroCause::silence}}}, {}, {}};
  memory.orders.drains.insert(web1);
  memory.learned.servers[server1] = {};
  forget_other_boot(memory, now);
  CHECK(memory.destinations.empty() == !kept);
  CHECK(memory.orders.drains.size() == 1);
  CHECK(memory.learned.servers.size() == 1);
}

TEST_CASE("remembered: lessons come back while they are fresh") {
  std::vector const table{service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.11:80", 10}})};
  auto const [age, taken] = GENERATE(Catch::Generators::table<double, std::size_t>({
      {0, 1},
      {3599, 1},
      {3601, 0},
      {-3599, 1},  // the clock was set back in between
      {-3601, 0},
  }));
  Learned learned;
  learned.servers[server1].model.work = 100;
  learned.servers[server1].at = 5000;
  learned.ratio_exponents[vip] = 1.5;
  State state;
  CHECK(take_learned(state, learned, table, 9000s, 5000 + age) == taken);
  CHECK(learned.servers.empty());
  CHECK(state.services.at(vip).ratio_exponent == 1.5);
  CHECK((state.servers.at(server1).model.work == 100) == (taken == 1));
}

TEST_CASE("remembered: what is known better here is not replaced") {
  std::vector const table{service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.11:80", 10}})};
  auto const [here, taken] = GENERATE(Catch::Generators::table<std::chrono::seconds, std::size_t>({
      {8899s, 1},
      {8901s, 0},
  }));
  Learned learned;
  learned.servers[server1].model.work = 100;
  learned.servers[server1].at = 5000;
  State state;
  state.servers[server1].learned_at = here;
  state.servers[server1].model.work = 7;
  CHECK(take_learned(state, learned, table, 9000s, 5100) == taken);
  CHECK(state.servers.at(server1).model.work == (taken == 1 ? 100 : 7));
}

TEST_CASE("remembered: a lesson that goes through a journal keeps its age") {
  State state;
  state.servers[server1].learned_at = 990s;
  state.servers[server1].model.work = 100;
  auto learned = learned_from_state(state, 1000s, 5000);
  CHECK(learned.servers.at(server1).at == 4990);
  State other;
  std::vector const table{service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.11:80", 10}})};
  CHECK(take_learned(other, learned, table, 70s, 5020) == 1);
  CHECK(other.servers.at(server1).learned_at == 40s);
}

TEST_CASE("orders: a pin's end survives on the wall clock") {
  Orders orders;
  orders.pins[web1] = {5, 5060.0, {}};
  set_pin_ends(orders, 1000s, 5000);
  CHECK(orders.pins.at(web1).until == 1060s);
  set_pin_ends(orders, 1010s, 99999);  // a clock that is set does not move it
  CHECK(orders.pins.at(web1).until == 1060s);
}
