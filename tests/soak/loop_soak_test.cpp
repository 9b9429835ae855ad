// The whole loop in memory, for a long time: agents that answer, or not, with changing load, a
// table that others change, weights that are written, a journal, reports and log lines. What it
// holds after a tenth of the cycles it may hold after all of them, and no more.

#include <boost/json/serialize.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "growth.hpp"
#include "ipvs/fake_table.hpp"
#include "monitord/controller.hpp"
#include "monitord/cycle_log.hpp"
#include "monitord/report.hpp"
#include "realserver-agent/responder/responder.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "unit/monitord/poll_support.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace std::chrono_literals;

namespace {

constexpr int server_count = 5;

std::string address_of(int server) {
  return "10.0.0." + std::to_string(11 + server);
}

/// A real server: its agent, and the sums of what its CPU did.
struct Server {
  Agent known{};
  agent::Responder responder;
  agentproto::Sample sample{};

  explicit Server(int number)
      : known{agent_named(address_of(number), address_of(number))},
        responder{agent::Config{}, {{1, agentproto::agent_key(master_of(1), address_of(number))}}} {
    sample.boot_id.fill(static_cast<std::uint8_t>(number + 1));
    sample.cpu = agentproto::CpuTimes{};
    sample.cpu->cpus = 1;
  }

  void live_on(std::uint64_t busy_ticks) {
    sample.boottime_ns += 2'000'000'000;
    sample.cpu->user += busy_ticks;
    sample.cpu->idle += 200 - busy_ticks;
    sample.memory = agentproto::Memory{1'000'000, 900'000 - 4'000 * busy_ticks, 0, 0};
  }
};

class Site {
 public:
  Site() : journal_{folder_.file("state")} {
    for (int number = 0; number < server_count; ++number)
      servers_.emplace(address(address_of(number)), number);
    config_.dry_run = false;
    config_.defaults.min_write_interval = 0s;
    controller_.emplace(config_, table_, &journal_, journal_.open().value());
    add_service("tcp 10.9.9.9:80", "wrr");
    add_service("tcp 10.9.9.9:443", "wlc");
  }

  void cycle() {
    disturb();
    std::vector<Agent> agents;
    for (auto& [place, server] : servers_) {
      server.live_on(random(200));
      agents.push_back(server.known);
    }
    engine_.begin_cycle(now_, agents);
    for (auto at = now_; at < now_ + 2s; at = engine_.next().value_or(now_ + 2s))
      exchange(at);
    auto report = controller_->cycle(now_, engine_.readings());
    written += table_.written.size();
    table_.written.clear();
    rendered += boost::json::serialize(json_from_report(report)).size();
    rendered += lines_from_cycle(last_, report).size();
    static_cast<void>(engine_.take_faults());
    last_ = std::move(report);
    now_ += 2s;
    ++cycles_;
  }

  [[nodiscard]] const CycleReport& last() const { return last_; }

  std::size_t written{};   ///< weights
  std::size_t rendered{};  ///< bytes, so that nobody optimises the rendering away

 private:
  std::uint32_t random(std::uint32_t below) { return static_cast<std::uint32_t>(dice_()) % below; }

  void add_service(const std::string& key, const std::string& scheduler) {
    std::vector<std::pair<std::string, std::uint32_t>> pool;
    for (int number = 0; number < server_count; ++number)
      pool.emplace_back(address_of(number) + ":80", 10);
    table_.entries.push_back(service(key, scheduler, pool));
  }

  /// What clients and operators do between two cycles.
  void disturb() {
    for (auto& entry : table_.entries) {
      for (auto& each : entry.destinations) {
        each.statistics.connections += random(100);
        each.active_connections = random(30);
      }
    }
    auto& pool = table_.entries[0].destinations;
    if (cycles_ % 97 == 0) pool[random(server_count)].weight = random(3) * 10;
    if (cycles_ % 53 == 0) std::swap(away_, pool[random(server_count)]);
    // A service that was never there before and is gone for good a little later.
    if (cycles_ % 100 == 20) add_service("tcp 10.9.9.9:" + std::to_string(1000 + cycles_), "sed");
    if (cycles_ % 100 == 60 && table_.entries.size() > 2) table_.entries.pop_back();
  }

  void exchange(Moment at) {
    for (auto const& asked : due(engine_, at)) {
      if (random(10) == 0) continue;  // lost
      auto& server = servers_.at(asked.to.address);
      auto answer =
          server.responder.answer(asked.bytes, director_, asked.to.address, at, server.sample);
      engine_.received(asked.to, answer.bytes, at + 1ms);
      if (random(10) == 0) engine_.received(asked.to, answer.bytes, at + 2ms);  // doubled
    }
  }

  lvs::testing::ScratchFolder folder_{};
  std::mt19937 dice_{20};
  const ipvs::IpAddress director_{address("10.0.0.1")};
  Config config_{};
  ipvs::FakeTable table_{};
  ipvs::Destination away_{destination("10.0.0.99:80", 10)};
  std::map<ipvs::IpAddress, Server> servers_{};
  StateJournal journal_;
  std::optional<Controller> controller_{};
  PollEngine engine_{keyed(), counting_nonces()};
  CycleReport last_{};
  Moment now_{start};
  int cycles_{};
};

}  // namespace

TEST_CASE("soak: the loop holds no more after many cycles than after some") {
  auto const cycles = lvs::testing::soak_cycles();
  Site site;
  std::size_t early = 0;
  for (int cycle = 1; cycle <= cycles; ++cycle) {
    site.cycle();
    if (cycle == cycles / 10) early = lvs::testing::allocated_bytes();
  }
  auto const late = lvs::testing::allocated_bytes();
  INFO(early << " bytes after a tenth, " << late << " at the end; " << site.written << " writes");
  CHECK(late <= early + lvs::testing::room);
  CHECK(site.written > static_cast<std::size_t>(cycles / 10));  // the loop did work
  CHECK(site.rendered > 0);
  CHECK(site.last().degraded.empty());
}
