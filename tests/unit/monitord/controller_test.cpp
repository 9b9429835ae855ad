#include "monitord/controller.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "director.hpp"
#include "ipvs/fake_table.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace std::chrono_literals;
using lvs::monitord::testing::address;
using lvs::monitord::testing::destination_key;
using lvs::monitord::testing::service;
using lvs::monitord::testing::service_key;
using lvs::testing::ScratchFolder;

namespace {

const auto vip = service_key("tcp 10.9.9.9:80");
const auto web1 = destination_key("10.0.0.11:80");
const auto web2 = destination_key("10.0.0.12:80");
const DestinationId web1_id{vip, web1};

Config active_config() {
  Config config;
  config.dry_run = false;
  config.defaults.strategy = StrategyKind::headroom;
  config.defaults.min_write_interval = 0s;
  return config;
}

std::vector<ipvs::ServiceEntry> two_servers() {
  return {service("tcp 10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 10}})};
}

/// web1 has next to nothing to spare, web2 everything.
Readings unequal(Moment now) {
  return {{address("10.0.0.11"), {now, 0.9, 0.3, {}, false}},
          {address("10.0.0.12"), {now, 0.05, 0.9, {}, false}}};
}

/// A daemon that can be killed: what the kernel and the file hold stays.
struct Host {
  ScratchFolder folder{};
  ipvs::FakeTable table{two_servers()};
  Moment now{1000s};
  std::unique_ptr<StateJournal> journal{};
  std::unique_ptr<Controller> controller{};

  Host() { boot(); }

  void boot() {
    controller.reset();
    journal = std::make_unique<StateJournal>(folder.file("state"));
    controller = std::make_unique<Controller>(active_config(), table, journal.get(),
                                              journal->open().value());
  }
  CycleReport cycle(const Readings& readings) {
    now += 2s;
    return controller->cycle(now, readings);
  }
  [[nodiscard]] std::uint32_t weight(const ipvs::DestinationKey& key) {
    return table.find(vip, key)->weight;
  }
  [[nodiscard]] std::uint32_t recorded_base() const {
    return StateJournal::peek(folder.file("state")).destinations.at(web1_id).base;
  }
};

const Verdict& verdict_of(const CycleReport& report, const ipvs::DestinationKey& key) {
  auto const found = std::ranges::find(report.verdicts, key, &Verdict::destination);
  REQUIRE(found != report.verdicts.end());
  return *found;
}

}  // namespace

TEST_CASE("cycle: a table that cannot be read changes nothing and is retried") {
  Host host;
  host.cycle({});
  auto const before = StateJournal::peek(host.folder.file("state"));
  host.table.broken = ipvs::Error{ipvs::ErrorKind::no_ipvs, 2, "no ip_vs in this kernel"};
  auto report = host.cycle({});
  CHECK(report.degraded == "no ip_vs in this kernel");
  CHECK(report.verdicts.empty());
  CHECK(report.cycle == 2);
  REQUIRE(host.controller->table_error().has_value());
  CHECK(host.controller->table_error()->kind == ipvs::ErrorKind::no_ipvs);
  CHECK(host.controller->last_table().size() == 1);
  CHECK(StateJournal::peek(host.folder.file("state")) == before);

  host.table.broken.reset();
  report = host.cycle({});
  CHECK(report.degraded.empty());
  CHECK(report.verdicts.size() == 2);
  CHECK(verdict_of(report, web1).base == 10);
}

TEST_CASE("cycle: while the table cannot be read nothing that is known is lost") {
  Host host;
  host.cycle({});
  host.cycle(unequal(host.now + 2s));
  REQUIRE(host.weight(web1) != 10);
  host.table.broken = ipvs::Error{ipvs::ErrorKind::timed_out, 110, "no answer"};
  for (int i = 0; i < 5; ++i)
    host.cycle({});
  host.table.broken.reset();
  auto const report = host.cycle({});
  CHECK(verdict_of(report, web1).base == 10);
  CHECK(report.foreign_edits == 0);
}

TEST_CASE("cycle: a dry run proposes and writes nothing") {
  Host host;
  auto config = active_config();
  config.dry_run = true;
  host.controller->set_config(config);
  host.cycle({});
  auto const report = host.cycle(unequal(host.now + 2s));
  CHECK(report.dry_run);
  REQUIRE_FALSE(report.applied.empty());
  CHECK(report.applied[0].result == Applied::Result::dry_run);
  CHECK(host.table.written.empty());
  CHECK(report.writes == 0);
}

TEST_CASE("cycle: weights are written and counted and the intent comes first") {
  Host host;
  host.cycle({});
  std::vector<std::uint32_t> intended;
  host.table.before_write = [&](ipvs::FakeTable&) {
    auto const known = StateJournal::peek(host.folder.file("state")).destinations.at(web1_id);
    if (known.intended) intended.push_back(*known.intended);
  };
  auto const report = host.cycle(unequal(host.now + 2s));
  REQUIRE_FALSE(host.table.written.empty());
  CHECK(report.writes == host.table.written.size());
  REQUIRE_FALSE(intended.empty());
  CHECK(intended[0] == host.weight(web1));
  // The cycle is over, and with it the intent.
  CHECK_FALSE(
      StateJournal::peek(host.folder.file("state")).destinations.at(web1_id).intended.has_value());
}

TEST_CASE("cycle: a kill at any call of the table leaves the base where it was") {
  // The write may not have happened, or have happened without anybody being told; the process ends
  // there and another one goes on with what kernel and file hold.
  auto const happened = GENERATE(false, true);
  struct Killed {};
  Host host;
  host.cycle({});
  auto const kill = [](ipvs::FakeTable&) { throw Killed{}; };
  (happened ? host.table.after_write : host.table.before_write) = kill;
  REQUIRE_THROWS_AS(host.cycle(unequal(host.now + 2s)), Killed);
  host.table.after_write = nullptr;
  host.table.before_write = nullptr;
  CHECK((host.weight(web1) != 10 || host.weight(web2) != 10) == happened);

  host.boot();
  auto const report = host.cycle({});
  CHECK(report.foreign_edits == 0);
  CHECK(verdict_of(report, web1).base == 10);
  CHECK(verdict_of(report, web2).base == 10);
  CHECK(host.recorded_base() == 10);
}

TEST_CASE("cycle: bases stay over many restarts under a changing load") {
  Host host;
  for (int start = 0; start < 20; ++start) {
    host.cycle({});
    host.cycle(unequal(host.now + 2s));
    host.boot();
  }
  CHECK(host.weight(web1) != 10);
  auto const report = host.cycle({});
  CHECK(verdict_of(report, web1).base == 10);
  CHECK(verdict_of(report, web2).base == 10);
  CHECK(report.foreign_edits == 0);
}

TEST_CASE("cycle: a weight that somebody set while nobody watched becomes the base") {
  Host host;
  host.cycle({});
  host.cycle(unequal(host.now + 2s));
  host.controller.reset();
  host.table.find(vip, web1)->weight = 33;
  host.boot();
  auto const report = host.cycle({});
  CHECK(verdict_of(report, web1).base == 33);
  CHECK(report.foreign_edits == 1);
  CHECK(host.recorded_base() == 33);
}

TEST_CASE("cycle: edits of others are counted once each and drains among them") {
  Host host;
  auto const edits_after = [&](std::uint32_t weight) {
    host.table.find(vip, web1)->weight = weight;
    auto const seen = host.cycle({}).foreign_edits;
    CHECK(host.cycle({}).foreign_edits == seen);
    return seen;
  };
  CHECK(edits_after(10) == 0);
  CHECK(edits_after(0) == 1);
  CHECK(edits_after(10) == 2);
  CHECK(edits_after(25) == 3);
}

TEST_CASE("cycle: a weight that was overwritten at once is one write and one edit") {
  Host host;
  host.cycle({});
  host.table.after_write = [](ipvs::FakeTable& kernel) { kernel.find(vip, web1)->weight = 77; };
  auto report = host.cycle(unequal(host.now + 2s));
  auto const written = host.table.written.size();
  host.table.after_write = nullptr;
  REQUIRE(report.applied[0].result == Applied::Result::overwritten);
  CHECK(report.writes == written);
  report = host.cycle({});
  CHECK(report.foreign_edits == 1);
  CHECK(verdict_of(report, web1).base == 77);
}

TEST_CASE("cycle: a reload forgets nothing") {
  Host host;
  host.cycle({});
  host.cycle(unequal(host.now + 2s));
  REQUIRE(host.weight(web1) != 10);
  auto config = active_config();
  config.interval = 3s;
  host.controller->set_config(config);
  auto const report = host.cycle({});
  CHECK(verdict_of(report, web1).base == 10);
  CHECK(report.foreign_edits == 0);
  CHECK(report.writes == host.table.written.size());
}

TEST_CASE("cycle: a service that comes late after a restart gets its base back") {
  Host host;
  host.cycle({});
  host.cycle(unequal(host.now + 2s));
  auto const adjusted = host.weight(web1);
  REQUIRE(adjusted != 10);
  auto const kept = host.table.entries;
  host.controller.reset();
  host.table.entries.clear();
  host.boot();
  for (int i = 0; i < 5; ++i)
    host.cycle({});
  CHECK(host.recorded_base() == 10);
  host.table.entries = kept;
  auto const report = host.cycle({});
  CHECK(verdict_of(report, web1).base == 10);
  CHECK(verdict_of(report, web1).current == adjusted);
  CHECK(report.foreign_edits == 0);
}

TEST_CASE("cycle: a write whose answer was lost is not taken for a foreign one") {
  Host host;
  host.cycle({});
  // The kernel carries it out, and the answer never comes.
  host.table.after_write = [](ipvs::FakeTable& table) {
    table.broken = ipvs::Error{ipvs::ErrorKind::timed_out, 110, "no answer"};
  };
  host.table.unwritable[{vip, web2}] = {ipvs::ErrorKind::timed_out, 110, "no answer"};
  host.cycle(unequal(host.now + 2s));
  host.table.after_write = nullptr;
  host.table.broken.reset();
  host.table.unwritable.clear();
  auto const report = host.cycle({});
  CHECK(verdict_of(report, web1).base == 10);
  CHECK(verdict_of(report, web2).base == 10);
  CHECK(report.foreign_edits == 0);
}

TEST_CASE("cycle: a destination that vanished and a refused write are counted and not fatal") {
  auto const [kind, result] = GENERATE(table<ipvs::ErrorKind, Applied::Result>({
      {ipvs::ErrorKind::no_such_destination, Applied::Result::gone},
      {ipvs::ErrorKind::no_such_service, Applied::Result::gone},
      {ipvs::ErrorKind::refused, Applied::Result::failed},
  }));
  Host host;
  host.cycle({});
  host.table.unwritable[{vip, web1}] = {kind, 22, "no"};
  auto const report = host.cycle(unequal(host.now + 2s));
  REQUIRE(report.applied.size() == 1);
  CHECK(report.applied[0].result == result);
  CHECK(report.failed_writes == 1);
  CHECK(report.writes == 0);
  CHECK(host.cycle({}).degraded.empty());
}

TEST_CASE("cycle: a service that is not listed stays as it is: case 55") {
  Host host;
  host.table.entries.push_back(
      service("udp 10.9.9.10:53", "wlc", {{"10.0.0.11:53", 9}, {"10.0.0.12:53", 9}}));
  for (auto& each : host.table.entries[1].destinations) {
    each.upper_threshold = 300;
    each.lower_threshold = 200;
  }
  auto const before = host.table.entries[1];
  auto config = active_config();
  config.services = {ServiceConfig{vip, config.defaults, {}}};
  for (int reload = 0; reload < 2; ++reload) {
    host.controller->set_config(config);
    for (int round = 0; round < 10; ++round)
      host.cycle(unequal(host.now + 2s));
  }
  CHECK(host.table.entries[1] == before);
  CHECK_FALSE(host.table.written.empty());
  for (auto const& written : host.table.written)
    CHECK(written.service == vip);
}

TEST_CASE(
    "cycle: a weight whose acknowledgement was lost stays ours: nobody's edit and no new base") {
  auto const journaled = GENERATE(true, false);
  Host host;
  Controller bare(active_config(), host.table, nullptr, {});
  auto const cycle = [&](const Readings& readings) {
    if (journaled) return host.cycle(readings);
    host.now += 2s;
    return bare.cycle(host.now, readings);
  };
  cycle({});
  host.table.unanswered[{vip, web1}] = {ipvs::ErrorKind::timed_out, 110, "no answer"};
  auto report = cycle(unequal(host.now + 2s));
  REQUIRE(report.applied[0].result == Applied::Result::failed);
  REQUIRE(host.weight(web1) != 10);
  host.table.unanswered.clear();
  report = cycle({});
  CHECK(verdict_of(report, web1).base == 10);
  CHECK(report.foreign_edits == 0);
}

TEST_CASE("cycle: without a journal the loop runs all the same") {
  ipvs::FakeTable table(two_servers());
  Controller controller(active_config(), table, nullptr, {});
  controller.cycle(1000s, {});
  auto const report = controller.cycle(1002s, unequal(1002s));
  CHECK(report.writes > 0);
}

TEST_CASE("cycle: orders survive a kill and a new start") {
  Host host;
  host.cycle({});
  host.controller->set_wall_time(5000);
  Order pin{Order::Kind::pin, vip, web1, 7, 100s};
  REQUIRE(host.controller->take(pin, host.now).has_value());
  REQUIRE(host.controller->take({Order::Kind::drain, vip, web2, 0, {}}, host.now).has_value());
  host.cycle({});
  CHECK(host.weight(web1) == 7);
  CHECK(host.weight(web2) == 0);

  host.boot();
  host.controller->set_wall_time(5050);
  auto report = host.cycle({});
  CHECK(verdict_of(report, web1).outcome == Outcome::pinned);
  CHECK(verdict_of(report, web2).outcome == Outcome::hand_drain);
  CHECK(report.orders.pins.size() == 1);
  host.now += 60s;
  report = host.cycle({});
  CHECK(report.orders.pins.empty());

  REQUIRE(host.controller->take({Order::Kind::undrain, vip, web2, 0, {}}, host.now).has_value());
  host.boot();
  report = host.cycle({});
  CHECK(host.weight(web2) > 0);
}

TEST_CASE("cycle: an undrain that was ordered right before a kill is carried out") {
  Host host;
  host.cycle({});
  REQUIRE(host.controller->take({Order::Kind::drain, vip, web2, 0, {}}, host.now).has_value());
  host.cycle({});
  REQUIRE(host.weight(web2) == 0);
  REQUIRE(host.controller->take({Order::Kind::undrain, vip, web2, 0, {}}, host.now).has_value());
  host.boot();
  auto const report = host.cycle({});
  CHECK(verdict_of(report, web2).outcome == Outcome::undrain);
}

TEST_CASE("cycle: what was learned survives a restart while it is fresh") {
  Host host;
  auto const busy = [&host] {
    for (auto const& key : {web1, web2})
      host.table.find(vip, key)->statistics.connections += 100;
    auto readings = unequal(host.now + 2s);
    return readings;
  };
  for (int cycle = 0; cycle < 60; ++cycle) {
    host.controller->set_wall_time(5000 + 2.0 * cycle);
    host.cycle(busy());
  }
  auto const learned = host.controller->memory(host.now).learned;
  REQUIRE(learned.servers.contains(web1.address));
  auto const [later, kept] = GENERATE(table<double, bool>({{60.0, true}, {7200.0, false}}));
  host.boot();
  host.controller->set_wall_time(5120 + later);
  host.cycle({});
  auto const now = host.controller->memory(host.now).learned;
  CHECK(now.servers.contains(web1.address) == kept);
  if (kept) CHECK(now.servers.at(web1.address).model.work > 0);
}

TEST_CASE("cycle: a standby takes over what the active director learned") {
  Host host;
  host.cycle({});
  Learned learned;
  learned.servers[web1.address] = {{.work = 100, .load = 10}, 5000};
  learned.servers[address("10.0.0.99")] = {{.work = 1, .load = 1}, 5000};
  host.controller->set_wall_time(5010);
  CHECK(host.controller->take(learned, host.now) == 1);
  CHECK(host.controller->memory(host.now).learned.servers.at(web1.address).model.work == 100);
  CHECK(host.controller->take(learned, host.now) == 0);  // known as well here now
}

TEST_CASE("cycle: with on_exit restore the last writes are the bases") {
  Host host;
  auto config = active_config();
  config.on_exit = GENERATE(ExitPolicy::restore, ExitPolicy::keep);
  host.controller->set_config(config);
  host.cycle({});
  host.cycle(unequal(host.now + 2s));
  auto const steered = host.weight(web1);
  REQUIRE(steered != 10);
  host.controller->leave();
  CHECK(host.weight(web1) == (config.on_exit == ExitPolicy::restore ? 10 : steered));
}
