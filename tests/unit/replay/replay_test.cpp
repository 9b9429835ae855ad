// Replay: its weights, that it decides as the daemon did, and what it prints.

#include "monitord/replay.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ipvs/fake_table.hpp"
#include "monitord/config_yaml.hpp"
#include "monitord/controller.hpp"
#include "monitord/reasons.hpp"
#include "monitord/recording_reader.hpp"
#include "monitord/replay_summary.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "unit/monitord/config_support.hpp"
#include "unit/monitord/director.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using lvs::testing::ScratchFolder;

namespace {

constexpr auto vip = "tcp 10.9.9.9:80";
const DestinationId web1{service_key(vip), destination_key("10.0.0.11:80")};

/// What one line of a recording says about a destination, and what replay makes of it.
struct Line {
  std::optional<std::uint32_t> weight{};  ///< empty: the line lacks it
  std::optional<std::uint32_t> written{};
  std::optional<std::uint32_t> replay_writes{};
  std::uint32_t current{};  ///< expected
};

}  // namespace

TEST_CASE("shadow: a weight follows replay until the recording says otherwise") {
  const auto lines = GENERATE(values<std::vector<Line>>({
      // As recorded at first, then replay's own.
      {{10, {}, {}, 10}, {10, {}, 14, 10}, {10, {}, {}, 14}},
      // What the daemon wrote changes nothing.
      {{10, 20, 14, 10}, {20, {}, {}, 14}, {20, 5, {}, 14}, {5, {}, {}, 14}},
      // What somebody else wrote does.
      {{10, {}, 14, 10}, {33, {}, {}, 33}, {33, {}, {}, 33}},
      {{10, 20, 14, 10}, {33, {}, {}, 33}},
      // Even where it is what stood there before the daemon's write.
      {{10, 20, 14, 10}, {10, {}, {}, 10}},
      // 0 is always taken, and so is the end of it.
      {{10, {}, 14, 10}, {0, {}, {}, 0}, {0, {}, {}, 0}, {10, {}, {}, 10}},
      {{0, {}, {}, 0}, {0, 7, {}, 0}, {7, {}, {}, 7}},
      // A single dump without it does not count, two do.
      {{10, {}, 14, 10}, {{}, {}, {}, 0}, {10, {}, {}, 14}},
      {{10, {}, 14, 10}, {{}, {}, {}, 0}, {{}, {}, {}, 0}, {10, {}, {}, 10}},
  }));
  ShadowWeights shadows;
  int absences = 0;
  for (const auto& line : lines) {
    State state;
    absences = line.weight ? 0 : absences + 1;
    if (absences < 2) state.services[web1.service].destinations[web1.destination] = {};
    if (line.weight) {
      std::vector<ipvs::ServiceEntry> table{service(vip, "wrr", {{"10.0.0.11:80", *line.weight}})};
      WeightsById written;
      if (line.written) written[web1] = *line.written;
      shadows.put_into(table, written);
      CHECK(table[0].destinations[0].weight == line.current);
      if (line.replay_writes) shadows.wrote(web1, *line.replay_writes);
    }
    shadows.forget_unknown(state);
  }
}

namespace {

Config some_config() {
  Config config;
  config.dry_run = false;
  config.defaults.strategy = *rc::gen::element(StrategyKind::capacity, StrategyKind::headroom);
  config.defaults.min_write_interval = *rc::gen::element(0s, 4s);
  config.servers[address("10.0.0.11")].base = 20;
  return config;
}

/// A daemon on a table in memory, and the recording of it.
struct Recorded {
  Config config;
  ipvs::FakeTable table{};
  std::unique_ptr<Controller> controller{};
  Readings readings{};
  Readings before{};
  Moment now{1'000'000s};
  bool start{true};
  std::vector<std::string> lines{};
  std::vector<std::vector<Verdict>> verdicts{};

  Recorded(Config configuration, std::vector<ipvs::ServiceEntry> entries)
      : config(std::move(configuration)), table(std::move(entries)) {
    boot(nullptr, {});
  }

  void boot(StateJournal* journal, Memory memory) {
    controller = std::make_unique<Controller>(config, table, journal, std::move(memory));
    controller->set_cycle_sink(
        [this](const Observations& seen, const State& state, std::span<const Applied> applied) {
          auto cycle = recorded_cycle(seen, state, applied, before);
          cycle.start = std::exchange(start, false);
          before = seen.readings;
          lines.push_back(line_from_cycle(cycle));
        });
    readings.clear();
    before.clear();
    start = true;
  }
  void cycle() {
    verdicts.push_back(controller->cycle(now, readings).verdicts);
    forget_agents();
  }

 private:
  /// As the poll engine does: an agent that is missing from two tables in a row.
  void forget_agents() {
    std::set<ipvs::IpAddress> there;
    for (const auto& entry : table.entries) {
      for (const auto& destination : entry.destinations)
        there.insert(destination.key.address);
    }
    for (const auto& address : there)
      absences.erase(address);
    for (auto reading = readings.begin(); reading != readings.end();) {
      const bool gone = !there.contains(reading->first) && ++absences[reading->first] >= 2;
      reading = gone ? readings.erase(reading) : std::next(reading);
    }
  }

  std::map<ipvs::IpAddress, unsigned> absences{};
};

struct Replayed {
  std::vector<ReplayedCycle> cycles{};
  std::string json{}, summary{}, changes{}, warnings{};
};

Replayed replayed(const std::vector<std::string>& lines, const Config& config) {
  RecordingReader reader;
  reader.begin_file("test");
  Replay replay(config);
  ReplaySummary summary;
  Replayed all;
  for (const auto& line : lines) {
    const auto cycle = reader.cycle(line, line.ends_with('\n'));
    all.warnings += reader.take_warnings();
    if (!cycle) throw std::runtime_error(cycle.error());
    if (!*cycle) continue;
    all.cycles.push_back(replay.step(**cycle));
    all.json += json_line_from_replayed(all.cycles.back());
    all.changes += changes_from_replayed(**cycle, all.cycles.back());
    summary.add(**cycle, all.cycles.back());
  }
  all.summary = summary.text(config.interval);
  return all;
}

using Essence = std::vector<std::string>;

/// Everything of a verdict but what the clock's origin shows in.
Essence essence_of(const std::vector<Verdict>& verdicts) {
  Essence essence;
  for (const auto& verdict : verdicts) {
    essence.push_back(ipvs::string_from_service_key(verdict.service) + ' ' +
                      ipvs::string_from_destination_key(verdict.destination) + " base " +
                      std::to_string(verdict.base) + " current " + std::to_string(verdict.current) +
                      " write " + std::to_string(verdict.write.value_or(0)) + ' ' +
                      std::string(string_from_outcome(verdict.outcome)) + ": " +
                      reason_of(verdict));
  }
  return essence;
}

std::vector<ipvs::ServiceEntry> random_table() {
  std::vector<ipvs::ServiceEntry> table;
  for (const auto* name : {"tcp 10.9.9.9:80", "udp [2001:db8::9]:53", "fwm 7"}) {
    const auto* const scheduler = *rc::gen::element("wrr", "wlc", "sed", "mh", "rr");
    std::vector<std::pair<std::string, std::uint32_t>> pool;
    for (int i = 0; i < *rc::gen::inRange(0, 5); ++i) {
      pool.emplace_back("10.0.0." + std::to_string(11 + i) + ":80", *rc::gen::inRange(0U, 60U));
    }
    table.push_back(service(name, scheduler, pool));
  }
  return table;
}

std::optional<double> share() {
  if (*rc::gen::inRange(0, 20) == 0) return std::nullopt;
  return *rc::gen::inRange(0, 998) / 997.0;  // not as short in decimals as a line has it
}

/// Everything that can happen between two cycles. `whole` is the table with nothing missing.
void disturb(Recorded& host, std::vector<ipvs::ServiceEntry>& whole) {
  host.now += 2s + Moment{*rc::gen::inRange(-1'000'000, 1'000'000)};
  for (auto& entry : host.table.entries) {
    for (auto& destination : entry.destinations) {
      destination.statistics.connections += *rc::gen::inRange(0U, 200U);
      destination.active_connections = *rc::gen::inRange(0U, 50U);
      if (*rc::gen::inRange(0, 20) == 0) destination.weight = *rc::gen::inRange(0U, 120U);
      const auto& server = destination.key.address;
      if (*rc::gen::inRange(0, 4) == 0) continue;  // its agent is silent in this cycle
      const auto age = Moment{*rc::gen::inRange(0, 1'900'000'000)};
      host.readings.insert_or_assign(server, Reading{host.now - age, share(), share(), {}, {}, {}});
    }
  }
  // The controller writes into the table: what is missing for a while has to come back as it was.
  const auto pick = *rc::gen::inRange(0, 12);
  for (auto& entry : whole) {
    const auto* const there = host.table.find(entry.service.key);
    if (there == nullptr) continue;
    for (auto& destination : entry.destinations) {
      const auto* const live = host.table.find(entry.service.key, destination.key);
      if (live != nullptr) destination = *live;
    }
  }
  if (pick == 0) host.table.entries = whole;
  if (pick == 1 && !host.table.entries.empty()) host.table.entries.pop_back();
  if (pick == 2 && !host.table.entries.empty() && !host.table.entries[0].destinations.empty()) {
    host.table.entries[0].destinations.erase(host.table.entries[0].destinations.begin());
  }
}

}  // namespace

TEST_CASE("replay: with the same configuration it decides what the daemon decided") {
  std::size_t writes = 0;
  REQUIRE(rc::check([&] {
    auto whole = random_table();
    Recorded host(some_config(), whole);
    for (int i = 0; i < 30; ++i) {
      host.cycle();
      disturb(host, whole);
    }
    const auto again = replayed(host.lines, host.config);
    RC_ASSERT(again.cycles.size() == host.verdicts.size());
    for (std::size_t i = 0; i < host.verdicts.size(); ++i) {
      RC_ASSERT(essence_of(again.cycles[i].verdicts) == essence_of(host.verdicts[i]));
    }
    writes += host.table.written.size();
  }));
  CHECK(writes > 100);
}

TEST_CASE("replay: a recording over restarts is decided as the daemons did") {
  ScratchFolder folder;
  REQUIRE(rc::check([&] {
    auto whole = random_table();
    auto config = some_config();
    // A restart in the middle of a slow start forgets how far it was; that is not recorded.
    config.defaults.guards.slow_start_s = 0;
    Recorded host(config, whole);
    std::unique_ptr<StateJournal> journal;
    const auto boot = [&] {
      journal.reset();
      journal = std::make_unique<StateJournal>(folder.file("state"));
      host.boot(journal.get(), journal->open().value());
    };
    folder.write("state", "");
    for (int run = 0; run < 3; ++run) {
      boot();
      for (int i = 0; i < 8; ++i) {
        host.cycle();
        disturb(host, whole);
      }
      // Nobody writes while no daemon watches, and nothing is missing.
      host.table.entries = whole;
    }
    const auto again = replayed(host.lines, host.config);
    for (std::size_t i = 0; i < host.verdicts.size(); ++i) {
      RC_ASSERT(essence_of(again.cycles[i].verdicts) == essence_of(host.verdicts[i]));
    }
  }));
}

TEST_CASE("replay: a recording that begins in the middle has the bases of the daemon") {
  Config config;
  config.dry_run = false;
  config.defaults.strategy = StrategyKind::headroom;
  Recorded host(config, {service(vip, "wlc", {{"10.0.0.21:80", 10}, {"10.0.0.22:80", 10}})});
  for (int i = 0; i < 20; ++i) {
    host.now += 2s;
    host.readings[address("10.0.0.21")] = {host.now - 1s, i % 2 == 0 ? 0.9 : 0.4, 0.3, {}, {}, {}};
    host.readings[address("10.0.0.22")] = {host.now - 1s, 0.1, 0.9, {}, {}, {}};
    host.cycle();
  }
  REQUIRE(host.table.find(web1.service, destination_key("10.0.0.21:80"))->weight != 10);
  const auto half = host.lines.begin() + 10;
  const auto again = replayed({half, host.lines.end()}, host.config);
  // The first cycles of its own know no earlier write: min_write_interval cannot hold them.
  for (std::size_t i = 3; i < again.cycles.size(); ++i) {
    CHECK(essence_of(again.cycles[i].verdicts) == essence_of(host.verdicts[10 + i]));
  }
}

TEST_CASE("replay: a drained destination is never written whatever is configured") {
  REQUIRE(rc::check([] {
    auto whole = random_table();
    Recorded host(some_config(), whole);
    for (int i = 0; i < 30; ++i) {
      host.cycle();
      disturb(host, whole);
    }
    const auto again = replayed(host.lines, some_config());
    for (std::size_t i = 0; i < again.cycles.size(); ++i) {
      std::set<DestinationId> drained;
      const auto line = cycle_from_line(host.lines[i]);
      for (const auto& entry : line->cycle.seen.table) {
        for (const auto& destination : entry.destinations) {
          if (destination.weight == 0) drained.insert({entry.service.key, destination.key});
        }
      }
      for (const auto& verdict : again.cycles[i].verdicts) {
        const bool was_drained = drained.contains({verdict.service, verdict.destination});
        RC_ASSERT(was_drained == (verdict.current == 0));
        RC_ASSERT(!was_drained || !verdict.write);
      }
    }
  }));
}

TEST_CASE("replay: a dry run configuration writes all the same") {
  Config config;
  config.defaults.strategy = StrategyKind::headroom;
  REQUIRE(config.dry_run);
  Recorded host(config, {service(vip, "wlc", {{"10.0.0.21:80", 10}, {"10.0.0.22:80", 10}})});
  for (int i = 0; i < 6; ++i) {
    host.now += 2s;
    host.readings[address("10.0.0.21")] = {host.now, 0.9, 0.3, {}, {}, {}};
    host.readings[address("10.0.0.22")] = {host.now, 0.1, 0.9, {}, {}, {}};
    host.cycle();
  }
  REQUIRE(host.table.written.empty());
  const auto again = replayed(host.lines, host.config);
  const auto& last = again.cycles.back().verdicts;
  CHECK(last[0].current < 10);
  CHECK(last[0].base == 10);
}

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size() - 1);
    lines.push_back(text.substr(begin, end + 1 - begin));
    begin = end + 1;
  }
  return lines;
}

std::string golden(const std::string& name) {
  return text_of_file(LVS_SOURCE_DIR "/tests/golden/replay/" + name);
}

}  // namespace

TEST_CASE("replay: a recording by hand gives what was worked out by hand") {
  const auto config = config_from_yaml(golden("headroom.yaml"), "headroom.yaml");
  REQUIRE(config.has_value());
  const auto all = replayed(lines_of(golden("evening.jsonl")), config->config);
  CHECK(all.json == golden("evening.verdicts.jsonl"));
  CHECK(all.summary == golden("evening.summary.txt"));
  CHECK(all.changes == golden("evening.changes.txt"));
  CHECK(all.warnings == "test:11:61: warning: the last line is cut off: it is left out\n");
}

TEST_CASE("replay: an empty recording is said to be empty") {
  CHECK(replayed({}, {}).summary == "the recording is empty\n");
}

TEST_CASE("replay: every outcome is explained in the operations manual") {
  const auto manual = text_of_file(LVS_SOURCE_DIR "/docs/OPERATIONS.md");
  std::size_t outcomes = 0;
  for (int i = 0; string_from_outcome(static_cast<Outcome>(i)) != "unknown"; ++i) {
    const auto row = "| `" + std::string(string_from_outcome(static_cast<Outcome>(i))) + "` |";
    INFO(row);
    CHECK(manual.find(row) != std::string::npos);
    ++outcomes;
  }
  CHECK(outcomes >= 16);
}
