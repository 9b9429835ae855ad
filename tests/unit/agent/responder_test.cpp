#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentproto/key.hpp"
#include "agentproto/lfb1.hpp"
#include "agentproto/sample.hpp"
#include "ipvs/types.hpp"
#include "realserver-agent/responder/responder.hpp"
#include "support/catch.hpp"

using namespace lvs::agent;
using namespace std::chrono_literals;
namespace agentproto = lvs::agentproto;
using agentproto::hash_of_name;
using agentproto::MacKey;

namespace {

lvs::ipvs::IpAddress address(const char* text) {
  return lvs::ipvs::ip_address_from_string(text).value();
}

const auto director = address("10.0.0.1");
const auto server = address("10.0.0.11");
const agentproto::Key key_one{1};
const agentproto::Key key_two{2};
const agentproto::Sample sample{.boottime_ns = 5, .processes = 7};

Config config() {
  return {.listen = {server}, .rate_limit = 1000};
}
std::vector<AgentKey> keys() {
  return {{1, key_one}, {2, key_two}};
}

std::vector<std::uint8_t> request(std::uint32_t id, const agentproto::Key& key) {
  const auto bytes = agentproto::encode_request({.key_id = id, .nonce = 99}, MacKey{key});
  return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> keyless_request() {
  const auto bytes = agentproto::encode_request(99, agentproto::keyless);
  return {bytes.begin(), bytes.end()};
}

Answer ask(Responder& responder, const std::vector<std::uint8_t>& bytes) {
  return responder.answer(bytes, director, server, 1s, sample);
}

}  // namespace

TEST_CASE("responder: faults are met with silence and counted") {
  Responder responder{config(), keys()};
  auto bytes = request(1, key_one);
  struct Case {
    std::string what;
    std::vector<std::uint8_t> bytes;
    Outcome outcome;
  };
  std::vector<Case> cases{
      {"nothing", {}, Outcome::bad_length},
      {"short", {bytes.begin(), bytes.end() - 1}, Outcome::bad_length},
      {"unknown key id", request(3, key_one), Outcome::unknown_key},
      {"another key", request(1, key_two), Outcome::bad_mac},
      {"keyless", keyless_request(), Outcome::unknown_key},
  };
  bytes.push_back(0);
  cases.push_back({"oversized", bytes, Outcome::bad_length});
  bytes.pop_back();
  bytes[0] = 'X';
  cases.push_back({"magic", bytes, Outcome::not_lfb1});
  bytes = request(1, key_one);
  bytes[4] = 2;
  cases.push_back({"a reply", bytes, Outcome::not_lfb1});
  bytes = request(1, key_one);
  bytes[20] ^= 1U;
  cases.push_back({"changed on the way", bytes, Outcome::bad_mac});

  for (const auto& [what, datagram, outcome] : cases) {
    CAPTURE(what);
    const auto before = responder.count(outcome);
    const Answer answer = ask(responder, datagram);
    CHECK(answer.outcome == outcome);
    CHECK(answer.bytes.empty());
    CHECK(responder.count(outcome) == before + 1);
  }
  CHECK(responder.count(Outcome::answered) == 0);
}

TEST_CASE("responder: a request with either live key is answered with that key") {
  Responder responder{config(), keys()};
  for (const auto& [id, key] : keys()) {
    const Answer answer = ask(responder, request(id, key));
    REQUIRE(answer.outcome == Outcome::answered);
    const auto reply =
        agentproto::decode_reply(answer.bytes, MacKey{key}, hash_of_name("10.0.0.11"));
    REQUIRE(reply.has_value());
    CHECK(reply->key_id == id);
    CHECK(reply->nonce == 99);
    CHECK(reply->sample == sample);
  }
  CHECK(responder.count(Outcome::answered) == 2);
}

TEST_CASE("responder: it goes by its name where it has one") {
  Config named = config();
  named.name = "web1";
  Responder responder{named, keys()};
  CHECK(agentproto::decode_reply(ask(responder, request(1, key_one)).bytes, MacKey{key_one},
                                 hash_of_name("web1")));
}

TEST_CASE("responder: it goes by the address that was asked otherwise") {
  Responder responder{config(), keys()};
  const Answer answer =
      responder.answer(request(1, key_one), director, address("fd00::11"), 1s, sample);
  CHECK(agentproto::decode_reply(answer.bytes, MacKey{key_one}, hash_of_name("fd00::11")));
}

TEST_CASE("responder: without keys only the allow list lets in") {
  Config open = config();
  open.security = Security::none;
  open.allow = {{director, 32}};
  Responder responder{open, {}};
  const Answer answer = ask(responder, keyless_request());
  REQUIRE(answer.outcome == Outcome::answered);
  CHECK(agentproto::decode_reply(answer.bytes, agentproto::keyless, hash_of_name("10.0.0.11")));
  CHECK(ask(responder, request(1, key_one)).outcome == Outcome::bad_mac);
  CHECK(responder.answer(keyless_request(), address("10.0.0.2"), server, 1s, sample).outcome ==
        Outcome::not_allowed);
}

TEST_CASE("responder: without a key nobody spends the tokens of those who have one") {
  Config strict = config();
  strict.allow = {{director, 32}};
  strict.rate_limit = 1;
  Responder responder{strict, keys()};
  const auto stranger = address("10.9.9.9");
  const auto from = [&](const lvs::ipvs::IpAddress& source,
                        const std::vector<std::uint8_t>& bytes) {
    return responder.answer(bytes, source, server, 1s, sample).outcome;
  };
  CHECK(from(stranger, {1, 2, 3}) == Outcome::bad_length);
  CHECK(from(stranger, request(1, key_two)) == Outcome::not_allowed);
  CHECK(from(director, {1, 2, 3}) == Outcome::bad_length);
  // Under the director's own address, forged.
  CHECK(from(director, request(1, key_two)) == Outcome::bad_mac);
  CHECK(from(director, request(3, key_one)) == Outcome::unknown_key);
  CHECK(from(director, request(1, key_one)) == Outcome::answered);
  CHECK(from(director, request(1, key_one)) == Outcome::rate_limited);
  CHECK(responder.answer(request(1, key_one), director, server, 2s, sample).outcome ==
        Outcome::answered);
}

TEST_CASE("responder: a reply is never longer than the request") {
  agentproto::Sample full = sample;
  full.cpu.emplace();
  full.memory.emplace();
  full.pressure.emplace();
  full.run_queue.emplace();
  full.network.emplace();
  full.disk_busy_ms = 1;
  full.cgroup.emplace();
  Responder responder{config(), keys()};
  const auto bytes = request(1, key_one);
  CHECK(responder.answer(bytes, director, server, 1s, full).bytes.size() <= bytes.size());
}

TEST_CASE("responder: a new configuration holds at once and what was counted stays") {
  Responder responder{config(), keys()};
  CHECK(responder.answer(request(1, key_one), director, server, 1s, sample).outcome ==
        Outcome::answered);
  CHECK(responder.answer({}, director, server, 1s, sample).outcome == Outcome::bad_length);
  responder.reconfigure(config(), {{2, key_two}});
  CHECK(responder.answer(request(1, key_one), director, server, 1s, sample).outcome ==
        Outcome::unknown_key);
  CHECK(responder.answer(request(2, key_two), director, server, 1s, sample).outcome ==
        Outcome::answered);
  CHECK(responder.count(Outcome::answered) == 2);
  CHECK(responder.count(Outcome::bad_length) == 1);
  CHECK(responder.count(Outcome::unknown_key) == 1);
}

TEST_CASE("responder: two askers between two samples get the same numbers") {
  Responder responder{config(), keys()};
  const auto sample_for = [&](const lvs::ipvs::IpAddress& source, std::chrono::nanoseconds now) {
    const Answer answer = responder.answer(request(1, key_one), source, server, now, sample);
    return agentproto::decode_reply(answer.bytes, MacKey{key_one}, std::nullopt)->sample;
  };
  CHECK(sample_for(director, 1s) == sample_for(address("10.0.0.2"), 1010ms));
}
