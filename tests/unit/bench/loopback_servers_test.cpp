#include "bench/loopback_servers.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "agentproto/lfb1.hpp"
#include "agentproto/reading.hpp"
#include "bench/loopback_agents.hpp"
#include "support/catch.hpp"

using namespace lvs::bench;
namespace agentproto = lvs::agentproto;
namespace ipvs = lvs::ipvs;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

ipvs::IpAddress address(const char* text) {
  return ipvs::ip_address_from_string(text).value();
}

}  // namespace

TEST_CASE("loopback: an address is a server's number and back") {
  CHECK(server_address(0) == address("127.64.0.1"));
  CHECK(server_address(254) == address("127.64.0.255"));
  CHECK(server_address(9'999) == address("127.64.39.16"));
  CHECK(server_address(most_servers - 1) == address("127.128.0.0"));
  for (const std::size_t server : {std::size_t{0}, std::size_t{9'999}, most_servers - 1})
    CHECK(server_at(server_address(server)) == server);
}

TEST_CASE("loopback: other addresses are no server's") {
  const auto* const text =
      GENERATE("127.0.0.1", "127.64.0.0", "127.128.0.1", "10.0.0.1", "255.255.255.255", "::1");
  CHECK_FALSE(server_at(address(text)).has_value());
}

TEST_CASE("loopback: counters only grow, and every second is a plausible reading") {
  const auto swing = GENERATE(0.0, 0.3, most_swing);
  for (std::size_t server = 0; server < 40; ++server) {
    auto before = sample_of(server, 5'000 * second, swing);
    for (std::uint64_t passed = 1; passed <= 300; ++passed) {
      const auto after = sample_of(server, (5'000 + passed) * second, swing);
      REQUIRE(after.boottime_ns == before.boottime_ns + second);
      const auto measured = agentproto::measured_from_samples(before, after);
      INFO(measured.reason);
      REQUIRE(measured.cpu_busy.value_or(0) > 0.05);
      REQUIRE(measured.cpu_busy.value_or(1) < 1);
      REQUIRE(measured.mem_available.value_or(0) > 0.2);
      REQUIRE(measured.mem_available.value_or(1) < 1);
      REQUIRE(measured.further.network_utilisation.has_value());
      REQUIRE(measured.further.disk_utilisation.has_value());
      REQUIRE(measured.further.io_pressure.has_value());
      before = after;
    }
  }
}

TEST_CASE("loopback: servers differ, and the same one moves") {
  std::set<std::uint64_t> busy;
  for (std::size_t server = 0; server < 100; ++server)
    busy.insert(sample_of(server, 9'000 * second, 0.3).cpu->user);
  CHECK(busy.size() > 90);
  double least = 1;
  double most = 0;
  for (std::uint64_t at = 1'000; at < 2'000; at += 10) {
    const auto measured = agentproto::measured_from_samples(sample_of(7, at * second, 0.3),
                                                            sample_of(7, (at + 2) * second, 0.3));
    least = std::min(least, measured.cpu_busy.value());
    most = std::max(most, measured.cpu_busy.value());
  }
  CHECK(most > 1.3 * least);
}

TEST_CASE("loopback: an agent answers its own key, and nothing else") {
  const LoopbackAgents agents(2, 0.3);
  const auto name = ipvs::string_from_ip_address(server_address(1));
  const agentproto::MacKey key(agentproto::agent_key(master_key(), name));
  const auto request = agentproto::encode_request({master_id, 42}, key);
  const auto reply = agents.answer(request, 1, 9'000 * second);
  const auto decoded = agentproto::decode_reply(reply, key, agentproto::hash_of_name(name));
  REQUIRE(decoded.has_value());
  CHECK(decoded->nonce == 42);
  CHECK(decoded->sample == sample_of(1, 9'000 * second, 0.3));
  CHECK(agents.answer(request, 0, 9'000 * second).empty());
  CHECK(agents.answer({}, 1, 9'000 * second).empty());
  CHECK(agents.answer(agentproto::encode_request({master_id + 1, 42}, key), 1, 0).empty());
}
