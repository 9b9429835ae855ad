// Kills and new starts at any moment: bases, orders and lessons stay (law 7).

#include <chrono>
#include <string>
#include <utility>

#include "support/catch.hpp"
#include "support/disk_full.hpp"
#include "unit/monitord/controller_host.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using namespace lvs::monitord::testing::host;
using namespace std::chrono_literals;

TEST_CASE("restart: a kill at any call of the table leaves the base where it was") {
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

TEST_CASE("restart: bases stay over many restarts under a changing load") {
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

TEST_CASE("restart: a weight that somebody set while nobody watched becomes the base") {
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

TEST_CASE("restart: a service that comes late after a restart gets its base back") {
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

TEST_CASE("restart: orders survive a kill and a new start") {
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

TEST_CASE("restart: an order that could not be written down says so") {
  Host host;
  host.cycle({});
  Order pause;
  pause.kind = Order::Kind::pause;
  {
    lvs::testing::DiskFull const full(host.folder.read("state").size());
    auto const said = host.controller->take(pause, host.now);
    REQUIRE(said.has_value());
    CHECK(said->find("not written down") != std::string::npos);
  }
  CHECK(host.controller->take(pause, host.now).value().find("not written") == std::string::npos);
}

TEST_CASE("restart: an undrain that was ordered right before a kill is carried out") {
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

TEST_CASE("restart: what was learned survives a restart while it is fresh") {
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
