#include "monitord/poll_engine.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentproto/lfb1.hpp"
#include "director.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace std::chrono_literals;
using lvs::monitord::testing::address;
using lvs::monitord::testing::service;

namespace {

constexpr Moment start = 1000s;

agentproto::Key master_of(std::uint8_t fill) {
  agentproto::Key key{};
  key.fill(fill);
  return key;
}

Agent agent_named(const std::string& name, const std::string& at) {
  return {address(at), {address(at), 6353}, name};
}

const Agent web1 = agent_named("web1", "10.0.0.11");
const Agent web2 = agent_named("web2", "10.0.0.12");

agentproto::Sample sample_at(std::uint64_t seconds, double busy_share) {
  agentproto::Sample sample;
  sample.boottime_ns = seconds * 1'000'000'000;
  sample.boot_id.fill(7);
  agentproto::CpuTimes cpu;
  cpu.cpus = 1;
  auto const ticks = static_cast<double>(seconds) * 100;
  cpu.user = static_cast<std::uint64_t>(ticks * busy_share);
  cpu.idle = static_cast<std::uint64_t>(ticks) - cpu.user;
  sample.cpu = cpu;
  sample.memory = agentproto::Memory{1000, 250, 0, 0};
  sample.processes = 214;
  sample.disk_busy_ms = seconds * 250;
  return sample;
}

/// An agent as the network shows it: what it was asked, and what it would say.
struct Responder {
  Agent agent{};
  std::uint32_t key_id{1};
  agentproto::Key master = master_of(1);

  [[nodiscard]] agentproto::MacKey key() const {
    return agentproto::MacKey(agentproto::agent_key(master, agent.name));
  }
  [[nodiscard]] bool understands(const Datagram& asked) const {
    return agentproto::decode_request(asked.bytes, key()).has_value();
  }
  [[nodiscard]] std::vector<std::uint8_t> reply(const Datagram& asked,
                                                const agentproto::Sample& sample) const {
    auto const request = agentproto::peek_request(asked.bytes).value();
    return agentproto::encode_reply(
        {key_id, request.nonce, agentproto::hash_of_name(agent.name), sample}, key());
  }
};

PollSettings keyed() {
  return {2s, 500ms, false, {{1, master_of(1)}}};
}

PollEngine::NonceSource counting_nonces() {
  return [next = std::uint64_t{100}]() mutable { return next++; };
}

struct Fixture {
  PollEngine engine{keyed(), counting_nonces()};
  Responder responder{web1};
  Moment now = start;

  /// One cycle's question to the only agent.
  Datagram ask() {
    engine.begin_cycle(now, std::vector{web1});
    auto const datagrams = engine.due(now);
    REQUIRE(datagrams.size() == 1);
    return datagrams.front();
  }
  void hear(const std::vector<std::uint8_t>& bytes) { engine.received(web1.endpoint, bytes, now); }
  [[nodiscard]] std::optional<Reading> reading() const {
    auto const found = engine.readings().find(web1.server);
    return found == engine.readings().end() ? std::nullopt : std::optional(found->second);
  }
};

}  // namespace

TEST_CASE("poll: two samples make a reading with the age of its question") {
  Fixture poll;
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
  Fixture poll;
  for (std::uint64_t const seconds : {10u, 12u, 12u}) {
    poll.hear(poll.responder.reply(poll.ask(), sample_at(seconds, 0.5)));
    poll.now += 2s;
  }
  CHECK(poll.reading()->taken == start + 2s);
  CHECK(poll.reading()->cpu_busy.value() == Approx(0.5));
}

TEST_CASE("poll: after a reboot of the server C is unknown for one interval") {
  Fixture poll;
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

TEST_CASE("poll: a reply that is wrong in any way is counted and changes nothing") {
  Fixture poll;
  auto const asked = poll.ask();
  auto const good = poll.responder.reply(asked, sample_at(10, 0.5));
  auto const check_nothing = [&] {
    CHECK_FALSE(poll.reading().has_value());
    CHECK(poll.engine.counters().answered == 0);
  };

  SECTION("empty or cut at any byte") {
    for (std::size_t length = 0; length < good.size(); ++length) {
      poll.hear({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)});
    }
    CHECK(poll.engine.counters().bad_length == good.size());
    check_nothing();
  }
  SECTION("oversized") {
    auto bytes = good;
    bytes.resize(2048);
    poll.hear(bytes);
    CHECK(poll.engine.counters().bad_length == 1);
    check_nothing();
  }
  SECTION("no LFB1") {
    auto bytes = good;
    bytes[0] = 'X';
    poll.hear(bytes);
    CHECK(poll.engine.counters().malformed == 1);
    check_nothing();
  }
  SECTION("our own question thrown back") {
    poll.hear({asked.bytes.begin(), asked.bytes.end()});
    CHECK(poll.engine.counters().malformed == 1);
    check_nothing();
  }
  SECTION("a bit turned over") {
    auto bytes = good;
    bytes[60] ^= 1;
    poll.hear(bytes);
    CHECK(poll.engine.counters().bad_mac == 1);
    check_nothing();
  }
  SECTION("made with another key") {
    auto thief = poll.responder;
    thief.master = master_of(9);
    poll.hear(thief.reply(asked, sample_at(10, 0.5)));
    CHECK(poll.engine.counters().bad_mac == 1);
    check_nothing();
  }
  SECTION("an unknown key id") {
    auto other = poll.responder;
    other.key_id = 3;
    poll.hear(other.reply(asked, sample_at(10, 0.5)));
    CHECK(poll.engine.counters().bad_mac == 1);
    check_nothing();
  }
  SECTION("another agent's name under the right key") {
    auto const nonce = agentproto::peek_request(asked.bytes)->nonce;
    poll.hear(agentproto::encode_reply(
        {1, nonce, agentproto::hash_of_name("web2"), sample_at(10, 0.5)}, poll.responder.key()));
    CHECK(poll.engine.counters().bad_name == 1);
    check_nothing();
  }
  SECTION("a nonce that was never asked") {
    auto stranger = asked;
    stranger.bytes = agentproto::encode_request({1, 4711}, poll.responder.key());
    poll.hear(poll.responder.reply(stranger, sample_at(10, 0.5)));
    CHECK(poll.engine.counters().bad_nonce == 1);
    check_nothing();
  }
  SECTION("from another address or port") {
    poll.engine.received(web2.endpoint, good, poll.now);
    poll.engine.received({web1.endpoint.address, 6354}, good, poll.now);
    CHECK(poll.engine.counters().bad_source == 2);
    CHECK(poll.engine.take_faults().at("bad_source") == "10.0.0.11:6354 for web1");
    CHECK(poll.engine.take_faults().empty());
    check_nothing();
  }
  // Whatever came before, the true agent is still heard.
  poll.hear(good);
  CHECK(poll.reading().has_value());
  CHECK(poll.engine.counters().answered == 1);
}

TEST_CASE("poll: a reply is accepted once") {
  Fixture poll;
  auto const reply = poll.responder.reply(poll.ask(), sample_at(10, 0.5));
  poll.hear(reply);
  poll.hear(reply);
  CHECK(poll.engine.counters().answered == 1);
  CHECK(poll.engine.counters().bad_nonce == 1);
}

TEST_CASE("poll: case 27 a question without an answer is given up at the deadline") {
  Fixture poll;
  poll.ask();
  poll.now += 500ms;
  CHECK(poll.engine.due(poll.now - 250ms).size() == 1);
  CHECK(poll.engine.due(poll.now).empty());
  CHECK(poll.engine.counters().sent == 2);
  CHECK(poll.engine.counters().timeouts == 1);
  CHECK_FALSE(poll.engine.next().has_value());
}

TEST_CASE("poll: case 27 a late reply is used for its own question only") {
  Fixture poll;
  auto const first = poll.ask();
  poll.now += 1s;
  poll.engine.due(poll.now);
  poll.now += 1s;
  auto const second = poll.ask();
  poll.now += 100ms;
  poll.hear(poll.responder.reply(first, sample_at(10, 0.5)));
  CHECK(poll.engine.counters().late == 1);
  CHECK(poll.reading()->taken == start);
  // The open question is still repeated, and its own reply still counts.
  CHECK(poll.engine.due(start + 2250ms).size() == 1);
  poll.hear(poll.responder.reply(second, sample_at(12, 0.25)));
  CHECK(poll.reading()->taken == start + 2s);
  CHECK(poll.engine.counters().answered == 2);
  CHECK(poll.engine.counters().late == 1);
}

TEST_CASE("poll: a reply that comes after a newer one never turns time back") {
  Fixture poll;
  auto const first = poll.ask();
  poll.now += 2s;
  poll.engine.due(poll.now);
  auto const second = poll.ask();
  poll.hear(poll.responder.reply(second, sample_at(12, 0.5)));
  auto const before = poll.reading();
  poll.hear(poll.responder.reply(first, sample_at(10, 0.5)));
  CHECK(poll.engine.counters().answered == 2);
  CHECK(poll.reading() == before);

  auto other_boot = sample_at(5000, 0.5);
  other_boot.boot_id.fill(6);
  poll.now += 2s;
  auto const third = poll.ask();
  poll.now += 250ms;
  auto const again = poll.engine.due(poll.now);
  REQUIRE(again.size() == 1);
  poll.hear(poll.responder.reply(again.front(), sample_at(14, 0.5)));
  poll.hear(poll.responder.reply(third, other_boot));
  CHECK(poll.reading()->taken == start + 4250ms);
  CHECK(poll.reading()->cpu_busy.has_value());
}

TEST_CASE("poll: a nonce lives two cycles") {
  auto const [age, accepted] = GENERATE(table<Moment, bool>({
      {4s, true},
      {4s + 1ns, false},
  }));
  Fixture poll;
  auto const asked = poll.ask();
  poll.now += age;
  poll.hear(poll.responder.reply(asked, sample_at(10, 0.5)));
  CHECK(poll.reading().has_value() == accepted);
  CHECK(poll.engine.counters().bad_nonce == (accepted ? 0 : 1));
}

TEST_CASE("poll: while keys are rotated either one is heard") {
  // The director lists the new key 2 first; the agent still has only key 1.
  PollEngine engine({2s, 500ms, false, {{2, master_of(2)}, {1, master_of(1)}}}, counting_nonces());
  Responder const old_agent{web1, 1, master_of(1)};
  engine.begin_cycle(start, std::vector{web1});
  auto const first = engine.due(start);
  REQUIRE(first.size() == 1);
  CHECK_FALSE(old_agent.understands(first.front()));
  auto const again = engine.due(start + 250ms);
  REQUIRE(again.size() == 1);
  REQUIRE(old_agent.understands(again.front()));
  engine.received(web1.endpoint, old_agent.reply(again.front(), sample_at(10, 0.5)), start + 251ms);
  CHECK(engine.counters().answered == 1);
  CHECK(engine.counters().timeouts == 0);

  // The key that answered is the first choice from then on, until it is silent.
  engine.begin_cycle(start + 2s, std::vector{web1});
  auto const next = engine.due(start + 2s);
  REQUIRE(next.size() == 1);
  CHECK(old_agent.understands(next.front()));
  Responder const new_agent{web1, 2, master_of(2)};
  auto const rotated = engine.due(start + 2250ms);
  REQUIRE(rotated.size() == 1);
  REQUIRE(new_agent.understands(rotated.front()));
  engine.received(web1.endpoint, new_agent.reply(rotated.front(), sample_at(12, 0.5)),
                  start + 2251ms);
  CHECK(engine.counters().answered == 2);

  // A key that is taken out of the configuration is not used any more.
  engine.reconfigure({2s, 500ms, false, {{1, master_of(1)}}});
  engine.begin_cycle(start + 4s, std::vector{web1});
  auto const last = engine.due(start + 4s);
  REQUIRE(last.size() == 1);
  CHECK(old_agent.understands(last.front()));
}

TEST_CASE("poll: without keys nobody is asked unless that is written out") {
  PollEngine unsure({2s, 500ms, false, {}}, counting_nonces());
  unsure.begin_cycle(start, std::vector{web1});
  CHECK(unsure.due(start).empty());

  PollEngine keyless({2s, 500ms, true, {}}, counting_nonces());
  keyless.begin_cycle(start, std::vector{web1});
  auto const asked = keyless.due(start);
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

  Fixture keyed_side;
  auto const question = keyed_side.ask();
  auto open_reply = reply;
  open_reply.nonce = agentproto::peek_request(question.bytes)->nonce;
  keyed_side.hear(agentproto::encode_reply(open_reply, agentproto::keyless));
  CHECK(keyed_side.engine.counters().bad_mac == 1);
  CHECK_FALSE(keyed_side.reading().has_value());
}

TEST_CASE("poll: an agent missing from one table is still asked and keeps its reading") {
  Fixture poll;
  poll.hear(poll.responder.reply(poll.ask(), sample_at(10, 0.5)));
  poll.engine.begin_cycle(start + 2s, {});
  CHECK(poll.engine.due(start + 2s).size() == 1);
  CHECK(poll.reading().has_value());
  poll.engine.begin_cycle(start + 4s, {});
  CHECK(poll.engine.due(start + 4s).empty());
  CHECK_FALSE(poll.reading().has_value());
}

TEST_CASE("poll: an agent that moved or was renamed starts anew") {
  Fixture poll;
  poll.hear(poll.responder.reply(poll.ask(), sample_at(10, 0.5)));
  auto moved = web1;
  moved.endpoint.port = 7000;
  poll.engine.begin_cycle(start + 2s, std::vector{moved});
  CHECK_FALSE(poll.reading().has_value());
  auto const asked = poll.engine.due(start + 2s);
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

  config.services = {ServiceConfig{testing::service_key("udp 10.9.9.9:53"), {}, {}}};
  auto const listed = agents_from_table(table, config);
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].server == address("10.0.0.13"));
}
