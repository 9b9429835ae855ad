// One cycle after the other: what is read, decided, written, remembered and reported.

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"
#include "unit/monitord/controller_host.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace lvs::monitord::testing::host;
using namespace std::chrono_literals;

namespace {

/// web1 is at a 0 of monitord's own, as its agent asked.
struct HostWithDrain : Host {
  Config config{active_config()};
  Readings readings{};

  HostWithDrain() {
    config.defaults.agent_drain = true;
    controller->set_config(config);
    cycle(unequal(now + 2s));
    readings = unequal(now + 2s);
    readings.at(address("10.0.0.11")).draining = true;
    cycle(readings);
    REQUIRE(weight(web1) == 0);
  }
};

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

TEST_CASE("cycle: a zero that the kernel refused is not taken for monitord's own later") {
  auto const [kind, number, own] = GENERATE(table<ipvs::ErrorKind, int, bool>({
      {ipvs::ErrorKind::refused, EINVAL, false},
      {ipvs::ErrorKind::no_permission, EPERM, false},
      {ipvs::ErrorKind::no_such_destination, ENOENT, false},
      {ipvs::ErrorKind::timed_out, ENOBUFS, true},
  }));
  Host host;
  host.cycle({});
  REQUIRE(host.controller->take({Order::Kind::drain, vip, web2, 0, {}}, host.now).has_value());
  host.table.unwritable[{vip, web2}] = {kind, number, "no"};
  host.cycle({});
  REQUIRE(host.weight(web2) == 10);
  auto const on_disk =
      StateJournal::peek(host.folder.file("state")).destinations.at(DestinationId{vip, web2});
  CHECK(on_disk.own_zero.has_value() == own);
  CHECK(on_disk.intended.has_value() == own);

  // Somebody else sets it now, or with its answer lost the kernel may have done it.
  host.table.find(vip, web2)->weight = 0;
  auto const report = host.cycle({});
  CHECK(verdict_of(report, web2).outcome == (own ? Outcome::hand_drain : Outcome::drained));
  CHECK(report.foreign_edits == (own ? 0 : 1));
}

TEST_CASE("cycle: a service that is let go at a reload has its weights back, also after a kill") {
  auto const killed = GENERATE(false, true);
  HostWithDrain host;
  if (killed) {
    host.boot();
    host.controller->set_config(host.config);
    host.cycle(host.readings);
    REQUIRE(host.weight(web1) == 0);
  }
  host.config.services.emplace();
  host.controller->set_config(host.config);
  CHECK(host.controller->let_go_zeros().size() == 1);
  host.cycle(host.readings);
  CHECK(host.weight(web1) == 10);
  CHECK(host.controller->let_go_zeros().empty());
}

TEST_CASE("cycle: a dry run keeps its hands off monitord's own zeros and says that they stay") {
  Host host;
  host.cycle({});
  REQUIRE(host.controller->take({Order::Kind::drain, vip, web2, 0, {}}, host.now).has_value());
  host.cycle({});
  REQUIRE(host.weight(web2) == 0);
  auto const written = host.table.written.size();
  auto config = active_config();
  config.dry_run = true;
  host.controller->set_config(config);
  REQUIRE(host.controller->take({Order::Kind::undrain, vip, web2, 0, {}}, host.now).has_value());
  auto const report = host.cycle({});
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].find("10.0.0.12:80 of tcp 10.9.9.9:80 stays at 0") == 0);
  CHECK(host.controller->leave().empty());
  CHECK(host.controller->left_zeros() == report.notes);
  CHECK(host.table.written.size() == written);
}

TEST_CASE("cycle: at its end monitord tells of a zero that it could not give back") {
  HostWithDrain host;
  bool const works = GENERATE(true, false);
  if (!works) host.table.broken = ipvs::Error{ipvs::ErrorKind::timed_out, ETIMEDOUT, "no answer"};
  host.controller->leave();
  CHECK(host.weight(web1) == (works ? 10 : 0));
  CHECK(host.controller->left_zeros().size() == (works ? 0 : 1));
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
