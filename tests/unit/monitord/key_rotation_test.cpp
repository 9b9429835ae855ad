// Both ends of LFB1 as they are, through the steps by which docs/SECURITY.md exchanges a master
// key: new key to all agents, new key to the director, old key away from the agents. Nobody's poll
// is lost on the way.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "poll_support.hpp"
#include "realserver-agent/responder/responder.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace std::chrono_literals;

namespace {

using Ids = std::vector<std::uint32_t>;

const std::vector<Agent> all{web1, web2, agent_named("web3", "10.0.0.13")};
const ipvs::IpAddress director = address("10.0.0.1");

agentproto::Key master_with(std::uint32_t id) {
  return master_of(static_cast<std::uint8_t>(id));
}

PollSettings director_with(const Ids& ids) {
  PollSettings settings{2s, 500ms, false, {}};
  for (auto const id : ids)
    settings.keys.push_back({id, master_with(id)});
  return settings;
}

agent::Responder agent_with(const Agent& named, const Ids& ids) {
  std::vector<agent::AgentKey> keys;
  for (auto const id : ids)
    keys.push_back({id, agentproto::agent_key(master_with(id), named.name)});
  agent::Config config;
  config.name = named.name;
  return {config, keys};
}

struct Site {
  PollEngine engine{director_with({1}), counting_nonces()};
  std::map<ipvs::IpAddress, agent::Responder> agents{};
  Moment now{start};
  std::uint64_t seconds{10};
  std::uint64_t cycles{};
  /// Between a question and its answer's arrival.
  std::function<void()> in_flight{};

  Site() {
    for (auto const& each : all)
      agents.emplace(each.server, agent_with(each, {1}));
  }

  void give(const Agent& named, const Ids& ids) {
    agents.erase(named.server);
    agents.emplace(named.server, agent_with(named, ids));
  }

  void cycle() {
    ++cycles;
    engine.begin_cycle(now, all);
    auto const end = now + 2s;
    for (auto at = now; at < end; at = engine.next().value_or(end))
      exchange(at);
    now = end;
    seconds += 2;
  }

  [[nodiscard]] bool lost_none() const {
    auto const& counters = engine.counters();
    return counters.asked == cycles * all.size() && counters.answered == counters.asked &&
           counters.timeouts == 0;
  }

 private:
  void exchange(Moment at) {
    std::vector<std::pair<Endpoint, std::vector<std::uint8_t>>> answers;
    for (auto const& asked : due(engine, at)) {
      auto const& place = asked.to.address;
      auto answer =
          agents.at(place).answer(asked.bytes, director, place, at, sample_at(seconds, 0.5));
      if (!answer.bytes.empty()) answers.emplace_back(asked.to, std::move(answer.bytes));
    }
    if (!answers.empty() && in_flight) std::exchange(in_flight, nullptr)();
    for (auto const& [from, bytes] : answers)
      engine.received(from, bytes, at + 1ms);
  }
};

}  // namespace

TEST_CASE("rotation: a master key is exchanged step by step and no poll is lost") {
  Site site;
  auto const cycles = [&](int count) {
    for (int i = 0; i < count; ++i)
      site.cycle();
    return site.lost_none();
  };
  REQUIRE(cycles(3));
  for (auto const& each : all) {  // 1. one agent after the other
    site.give(each, {2, 1});
    REQUIRE(cycles(1));
  }
  site.engine.reconfigure(director_with({2}));  // 2.
  REQUIRE(cycles(3));
  for (auto const& each : all) {  // 3.
    site.give(each, {2});
    REQUIRE(cycles(1));
  }
  REQUIRE(cycles(3));
  CHECK(site.engine.counters().bad_mac == 0);
  CHECK(site.engine.readings().size() == all.size());

  // The old master opens nothing any more, and whoever still uses it is counted.
  site.engine.reconfigure(director_with({1}));
  site.cycle();
  CHECK_FALSE(site.lost_none());
  for (auto& [server, responder] : site.agents)
    CHECK(responder.count(agent::Outcome::unknown_key) > 0);
}

TEST_CASE(
    "rotation: an answer under the old key that is under way at the switch is asked for anew") {
  Site site;
  for (auto const& each : all)
    site.give(each, {1, 2});
  site.cycle();
  site.in_flight = [&] { site.engine.reconfigure(director_with({2})); };
  site.cycle();
  CHECK(site.engine.counters().bad_mac == 1);
  CHECK(site.lost_none());
  site.cycle();
  CHECK(site.lost_none());
}

TEST_CASE("rotation: a director with both keys loses none whichever the agents have") {
  Site site;
  site.engine.reconfigure(director_with({2, 1}));
  for (auto const& each : all) {
    site.cycle();
    site.give(each, {2});
    site.cycle();
  }
  site.cycle();
  CHECK(site.lost_none());
  CHECK(site.engine.counters().sent > site.engine.counters().asked);  // asked again, each once
  auto const sent = site.engine.counters().sent;
  site.cycle();
  CHECK(site.engine.counters().sent == sent + all.size());
}
