// Questions and the readings that good replies make.

#include <chrono>
#include <cstdint>
#include <vector>

#include "poll_support.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace std::chrono_literals;

TEST_CASE("poll: two samples make a reading with the age of its question") {
  Poll poll;
  auto asked = poll.ask();
  CHECK(poll.responder.understands(asked));
  poll.now += 3ms;
  poll.hear(poll.responder.reply(asked, sample_at(10, 0.5)));
  REQUIRE(poll.reading().has_value());
  CHECK_FALSE(poll.reading()->cpu_busy.has_value());
  CHECK_FALSE(poll.reading()->further.disk_utilisation.has_value());
  CHECK(poll.reading()->mem_available.value() == Approx(0.25));
  CHECK_FALSE(poll.reading()->reason.empty());

  poll.now = start + 2s;
  asked = poll.ask();
  poll.now += 3ms;
  poll.hear(poll.responder.reply(asked, sample_at(12, 0.5)));
  CHECK(poll.reading()->cpu_busy.value() == Approx(0.5));
  CHECK(poll.reading()->further.disk_utilisation == Approx(0.25));
  CHECK(poll.reading()->further.processes == 214);
  CHECK_FALSE(poll.reading()->further.network_utilisation.has_value());
  CHECK(poll.reading()->taken == start + 2s);
  CHECK(poll.reading()->reason.empty());
  CHECK(poll.engine.counters().answered == 2);
  CHECK(poll.engine.counters().late == 0);
  CHECK(poll.engine.counters().timeouts == 0);
}

TEST_CASE("poll: the same sample again leaves the reading its age") {
  Poll poll;
  for (std::uint64_t const seconds : {10u, 12u, 12u}) {
    poll.hear(poll.responder.reply(poll.ask(), sample_at(seconds, 0.5)));
    poll.now += 2s;
  }
  CHECK(poll.reading()->taken == start + 2s);
  CHECK(poll.reading()->cpu_busy.value() == Approx(0.5));
}

TEST_CASE("poll: after a reboot of the server C is unknown for one interval") {
  Poll poll;
  poll.hear(poll.responder.reply(poll.ask(), sample_at(1000, 0.5)));
  poll.now += 2s;
  auto rebooted = sample_at(20, 0.25);
  rebooted.boot_id.fill(8);
  poll.hear(poll.responder.reply(poll.ask(), rebooted));
  CHECK_FALSE(poll.reading()->cpu_busy.has_value());
  CHECK(poll.reading()->mem_available.has_value());
  CHECK(poll.reading()->taken == start + 2s);
  poll.now += 2s;
  rebooted = sample_at(22, 0.25);
  rebooted.boot_id.fill(8);
  poll.hear(poll.responder.reply(poll.ask(), rebooted));
  CHECK(poll.reading()->cpu_busy.value() == Approx(0.25));
}

TEST_CASE("poll: while keys are rotated either one is heard") {
  // The director lists the new key 2 first; the agent still has only key 1.
  PollEngine engine({2s, 500ms, false, {{2, master_of(2)}, {1, master_of(1)}}}, counting_nonces());
  Responder const old_agent{web1, 1, master_of(1)};
  engine.begin_cycle(start, std::vector{web1});
  auto const first = due(engine, start);
  REQUIRE(first.size() == 1);
  CHECK_FALSE(old_agent.understands(first.front()));
  auto const again = due(engine, start + 250ms);
  REQUIRE(again.size() == 1);
  REQUIRE(old_agent.understands(again.front()));
  engine.received(web1.endpoint, old_agent.reply(again.front(), sample_at(10, 0.5)), start + 251ms);
  CHECK(engine.counters().answered == 1);
  CHECK(engine.counters().timeouts == 0);

  // The key that answered is the first choice from then on, until it is silent.
  engine.begin_cycle(start + 2s, std::vector{web1});
  auto const next = due(engine, start + 2s);
  REQUIRE(next.size() == 1);
  CHECK(old_agent.understands(next.front()));
  Responder const new_agent{web1, 2, master_of(2)};
  auto const rotated = due(engine, start + 2250ms);
  REQUIRE(rotated.size() == 1);
  REQUIRE(new_agent.understands(rotated.front()));
  engine.received(web1.endpoint, new_agent.reply(rotated.front(), sample_at(12, 0.5)),
                  start + 2251ms);
  CHECK(engine.counters().answered == 2);

  // A key that is taken out of the configuration is not used any more.
  engine.reconfigure({2s, 500ms, false, {{1, master_of(1)}}});
  engine.begin_cycle(start + 4s, std::vector{web1});
  auto const last = due(engine, start + 4s);
  REQUIRE(last.size() == 1);
  CHECK(old_agent.understands(last.front()));
}

TEST_CASE("poll: without keys nobody is asked unless that is written out") {
  PollEngine unsure({2s, 500ms, false, {}}, counting_nonces());
  unsure.begin_cycle(start, std::vector{web1});
  CHECK(due(unsure, start).empty());

  PollEngine keyless({2s, 500ms, true, {}}, counting_nonces());
  keyless.begin_cycle(start, std::vector{web1});
  auto const asked = due(keyless, start);
  REQUIRE(asked.size() == 1);
  auto const request = agentproto::decode_request(asked.front().bytes, agentproto::keyless);
  REQUIRE(request.has_value());
  agentproto::Reply const reply{0, request->nonce, agentproto::hash_of_name("web1"),
                                sample_at(10, 0.5)};
  // A reply with a MAC is not ours to check: dropped.
  keyless.received(web1.endpoint, agentproto::encode_reply(reply, Responder{web1}.key()), start);
  CHECK(keyless.readings().empty());
  keyless.received(web1.endpoint, agentproto::encode_reply(reply, agentproto::keyless), start);
  CHECK(keyless.readings().size() == 1);

  Poll keyed_side;
  auto const question = keyed_side.ask();
  auto open_reply = reply;
  open_reply.nonce = agentproto::peek_request(question.bytes)->nonce;
  keyed_side.hear(agentproto::encode_reply(open_reply, agentproto::keyless));
  CHECK(keyed_side.engine.counters().bad_mac == 1);
  CHECK_FALSE(keyed_side.reading().has_value());
}

TEST_CASE("poll: an agent missing from one table is still asked and keeps its reading") {
  Poll poll;
  poll.hear(poll.responder.reply(poll.ask(), sample_at(10, 0.5)));
  poll.engine.begin_cycle(start + 2s, {});
  CHECK(due(poll.engine, start + 2s).size() == 1);
  CHECK(poll.reading().has_value());
  poll.engine.begin_cycle(start + 4s, {});
  CHECK(due(poll.engine, start + 4s).empty());
  CHECK_FALSE(poll.reading().has_value());
}

TEST_CASE("poll: an agent that moved or was renamed starts anew") {
  Poll poll;
  poll.hear(poll.responder.reply(poll.ask(), sample_at(10, 0.5)));
  auto moved = web1;
  moved.endpoint.port = 7000;
  poll.engine.begin_cycle(start + 2s, std::vector{moved});
  CHECK_FALSE(poll.reading().has_value());
  auto const asked = due(poll.engine, start + 2s);
  REQUIRE(asked.size() == 1);
  CHECK(asked.front().to == moved.endpoint);
}

TEST_CASE("poll: a server with many destinations is asked once a cycle") {
  Config config;
  config.servers[address("10.0.0.12")].name = "db";
  config.servers[address("10.0.0.12")].agent_address = address("fd00::12");
  config.servers[address("10.0.0.12")].agent_port = 7000;
  std::vector const table{
      service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.12:80", 1}, {"10.0.0.11:80", 1}}),
      service("tcp 10.9.9.9:443", "wlc", {{"10.0.0.11:443", 1}, {"10.0.0.12:443", 1}}),
      service("udp 10.9.9.9:53", "rr", {{"10.0.0.13:53", 1}})};
  auto const agents = agents_from_table(table, config);
  REQUIRE(agents.size() == 2);
  CHECK(agents[0] == Agent{address("10.0.0.11"), {address("10.0.0.11"), 6353}, "10.0.0.11"});
  CHECK(agents[1] == Agent{address("10.0.0.12"), {address("fd00::12"), 7000}, "db"});

  config.services = {ServiceConfig{service_key("udp 10.9.9.9:53"), {}, {}}};
  auto const listed = agents_from_table(table, config);
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].server == address("10.0.0.13"));
}
