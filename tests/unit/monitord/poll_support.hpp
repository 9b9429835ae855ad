#pragma once

// An agent and its director's poll engine, without a network.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentproto/lfb1.hpp"
#include "director.hpp"
#include "monitord/poll_engine.hpp"
#include "support/catch.hpp"

namespace lvs::monitord::testing {

inline constexpr Moment start = 1000s;

inline agentproto::Key master_of(std::uint8_t fill) {
  agentproto::Key key{};
  key.fill(fill);
  return key;
}

inline Agent agent_named(const std::string& name, const std::string& at) {
  return {address(at), {address(at), 6353}, name};
}

inline const Agent web1 = agent_named("web1", "10.0.0.11");
inline const Agent web2 = agent_named("web2", "10.0.0.12");

inline agentproto::Sample sample_at(std::uint64_t seconds, double busy_share) {
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

inline PollSettings keyed() {
  return {2s, 500ms, false, {{1, master_of(1)}}};
}

inline PollEngine::NonceSource counting_nonces() {
  return [next = std::uint64_t{100}]() mutable { return next++; };
}

inline std::vector<Datagram> due(PollEngine& engine, Moment now) {
  std::vector<Datagram> datagrams;
  engine.due(now, datagrams);
  return datagrams;
}

struct Poll {
  PollEngine engine{keyed(), counting_nonces()};
  Responder responder{web1};
  Moment now = start;

  /// One cycle's question to the only agent.
  Datagram ask() {
    engine.begin_cycle(now, std::vector{web1});
    auto const datagrams = due(engine, now);
    REQUIRE(datagrams.size() == 1);
    return datagrams.front();
  }
  void hear(const std::vector<std::uint8_t>& bytes) { engine.received(web1.endpoint, bytes, now); }
  [[nodiscard]] std::optional<Reading> reading() const {
    auto const found = engine.readings().find(web1.server);
    return found == engine.readings().end() ? std::nullopt : std::optional(found->second);
  }
};

}  // namespace lvs::monitord::testing
