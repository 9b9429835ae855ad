// Replies that are late, forged, doubled or broken.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "poll_support.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace std::chrono_literals;

TEST_CASE("poll: a reply that is wrong in any way is counted and changes nothing") {
  Poll poll;
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
  Poll poll;
  auto const reply = poll.responder.reply(poll.ask(), sample_at(10, 0.5));
  poll.hear(reply);
  poll.hear(reply);
  CHECK(poll.engine.counters().answered == 1);
  CHECK(poll.engine.counters().bad_nonce == 1);
}

TEST_CASE("poll: case 27 a question without an answer is given up at the deadline") {
  Poll poll;
  poll.ask();
  poll.now += 500ms;
  CHECK(due(poll.engine, poll.now - 250ms).size() == 1);
  CHECK(due(poll.engine, poll.now).empty());
  CHECK(poll.engine.counters().asked == 1);
  CHECK(poll.engine.counters().sent == 2);
  CHECK(poll.engine.counters().timeouts == 1);
  CHECK_FALSE(poll.engine.next().has_value());
}

TEST_CASE("poll: case 27 a late reply is used for its own question only") {
  Poll poll;
  auto const first = poll.ask();
  poll.now += 1s;
  due(poll.engine, poll.now);
  poll.now += 1s;
  auto const second = poll.ask();
  poll.now += 100ms;
  poll.hear(poll.responder.reply(first, sample_at(10, 0.5)));
  CHECK(poll.engine.counters().late == 1);
  CHECK(poll.reading()->taken == start);
  // The open question is still repeated, and its own reply still counts.
  CHECK(due(poll.engine, start + 2250ms).size() == 1);
  poll.hear(poll.responder.reply(second, sample_at(12, 0.25)));
  CHECK(poll.reading()->taken == start + 2s);
  CHECK(poll.engine.counters().answered == 2);
  CHECK(poll.engine.counters().late == 1);
}

TEST_CASE("poll: a reply that comes after a newer one never turns time back") {
  Poll poll;
  auto const first = poll.ask();
  poll.now += 2s;
  due(poll.engine, poll.now);
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
  auto const again = due(poll.engine, poll.now);
  REQUIRE(again.size() == 1);
  poll.hear(poll.responder.reply(again.front(), sample_at(14, 0.5)));
  poll.hear(poll.responder.reply(third, other_boot));
  CHECK(poll.reading()->taken == start + 4250ms);
  CHECK(poll.reading()->cpu_busy.has_value());
}

TEST_CASE("poll: a flood of datagrams that nobody asked for leaves nothing behind") {
  Poll poll;
  auto const asked = poll.ask();
  auto const good = poll.responder.reply(asked, sample_at(10, 0.5));
  Endpoint from = web2.endpoint;
  constexpr std::uint32_t flood = 100'000;
  for (std::uint32_t i = 0; i < flood; ++i) {
    from.address.bytes[3] = static_cast<std::uint8_t>(i);
    from.port = static_cast<std::uint16_t>(i);
    auto bytes = good;
    bytes[i % 24] = static_cast<std::uint8_t>(i >> 8U);
    for (std::size_t byte = 0; byte < 4; ++byte)  // another nonce each time
      bytes[16 + byte] = static_cast<std::uint8_t>((i + 1) >> (8 * byte));
    poll.engine.received(from, bytes, poll.now);
  }
  CHECK(poll.engine.open_questions() == 1);
  CHECK(poll.engine.readings().empty());
  CHECK(poll.engine.take_faults().size() <= 6);
  auto const& counters = poll.engine.counters();
  CHECK(counters.bad_length + counters.malformed + counters.bad_nonce + counters.bad_source ==
        flood);
  poll.hear(good);  // the true agent is heard through it
  CHECK(counters.answered == 1);
  CHECK(poll.engine.open_questions() == 0);
}

TEST_CASE("poll: questions that nobody answers are forgotten after two cycles") {
  Poll poll;
  for (int cycle = 0; cycle < 100; ++cycle) {
    poll.ask();
    due(poll.engine, poll.now + 250ms);
    CHECK(poll.engine.open_questions() <= 6);
    poll.now += 2s;
  }
}

TEST_CASE("poll: a nonce lives two cycles") {
  auto const [age, accepted] = GENERATE(table<Moment, bool>({
      {4s, true},
      {4s + 1ns, false},
  }));
  Poll poll;
  auto const asked = poll.ask();
  poll.now += age;
  poll.hear(poll.responder.reply(asked, sample_at(10, 0.5)));
  CHECK(poll.reading().has_value() == accepted);
  CHECK(poll.engine.counters().bad_nonce == (accepted ? 0 : 1));
}
