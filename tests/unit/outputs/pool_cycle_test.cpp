// Whole cycles on pools without IPVS, and on a service whose weights keepalived takes to the
// kernel: what decide() says, what the journal keeps, and what the outputs are told.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ipvs/fake_table.hpp"
#include "monitord/controller.hpp"
#include "monitord/outputs/haproxy_answers.hpp"
#include "monitord/outputs/output_table.hpp"
#include "pools.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

const auto vip = service_key("tcp 10.9.9.9:80");
const auto web = service_key("pool web");
const auto web1 = destination_key("10.0.0.11:80");
const auto web2 = destination_key("10.0.0.12:80");

/// web1 has next to nothing to spare, web2 everything.
Readings unequal(Moment now) {
  return {{address("10.0.0.11"), {now, 0.9, 0.3, {}, false}},
          {address("10.0.0.12"), {now, 0.05, 0.9, {}, false}}};
}

/// A daemon that can be killed: what its files hold stays.
struct Host {
  lvs::testing::ScratchFolder folder{};
  ipvs::FakeTable kernel{
      {service("tcp 10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 20}})}};
  Moment now{1000s};
  Config config{};
  std::unique_ptr<HaproxyAnswers> haproxy{};
  RecordingOutput keepalived{OutputKind::keepalived};
  std::unique_ptr<OutputTable> table{};
  std::unique_ptr<StateJournal> journal{};
  std::unique_ptr<Controller> controller{};

  Host() {
    config.dry_run = false;
    config.pools = {pool_of_two()};
    config.services.emplace();
    boot();
  }
  void boot() {
    controller.reset();
    journal = std::make_unique<StateJournal>(folder.file("state"));
    auto memory = journal->open().value();
    haproxy = std::make_unique<HaproxyAnswers>();
    table = std::make_unique<OutputTable>(kernel, std::vector<Output*>{&keepalived, haproxy.get()},
                                          [this] { return now; });
    table->configure(config, memory.destinations);
    controller = std::make_unique<Controller>(config, *table, journal.get(), std::move(memory));
  }
  CycleReport cycle() {
    now += 2s;
    return controller->cycle(now, unequal(now));
  }
  CycleReport cycles(int count) {
    CycleReport report;
    for (int i = 0; i < count; ++i)
      report = cycle();
    return report;
  }
  std::string ask(const std::string& server) { return haproxy->answer("be/" + server + "\n", now); }
  void order(Order::Kind kind, std::uint32_t weight = 0) {
    Order wanted;
    wanted.kind = kind;
    wanted.service = web;
    wanted.destination = web1;
    wanted.weight = weight;
    REQUIRE(controller->take(wanted, now).has_value());
  }
};

const Verdict& verdict_in(const CycleReport& report, const ipvs::DestinationKey& key) {
  auto const found = std::ranges::find(report.verdicts, key, &Verdict::destination);
  REQUIRE(found != report.verdicts.end());
  return *found;
}

}  // namespace

TEST_CASE("pool cycle: a pool is steered as a service is, and no kernel is asked") {
  Host host;
  CHECK(host.ask("s1") == "up 100%\n");
  auto const report = host.cycles(5);
  CHECK(report.degraded.empty());
  REQUIRE(report.verdicts.size() == 2);
  auto const& busy = verdict_in(report, web1);
  CHECK(busy.service == web);
  CHECK(busy.scheduler == "roundrobin");
  CHECK(busy.base == 100);
  // Bases 100 and 50 times F are 18 and 46.5: in small integers 2:5.
  CHECK(5 * busy.current == 2 * verdict_in(report, web2).current);
  CHECK(host.ask("s1") == "up " + std::to_string(busy.current) + "%\n");
  CHECK(host.kernel.calls == 0);
  CHECK(report.writes > 0);
  CHECK(report.foreign_edits == 0);
}

TEST_CASE("pool cycle: without counters a pool is not on standby") {
  Host host;
  auto const report = host.cycles(20);
  CHECK(verdict_in(report, web1).outcome != Outcome::standby);
  CHECK(verdict_in(report, web1).new_connections == 0);
}

TEST_CASE("pool cycle: with counters connections are counted as the kernel's are") {
  Host host;
  host.cycle();
  host.table->count({web, web1}, {.sessions = 30, .bytes_in = 900, .current = 4});
  auto const report = host.cycle();
  CHECK(verdict_in(report, web1).new_connections == 30);
  CHECK(verdict_in(report, web1).active == 4);
  CHECK(verdict_in(report, web1).input > 1);
}

TEST_CASE("pool cycle: after a kill the weights go on, and the bases do not drift") {
  Host host;
  auto const before = verdict_in(host.cycles(5), web1);
  host.boot();
  CHECK(host.ask("s1") == "up " + std::to_string(before.current) + "%\n");
  auto const after = host.cycle();
  CHECK(verdict_in(after, web1).base == 100);
  CHECK(after.foreign_edits == 0);
  CHECK(verdict_in(after, web2).base == 50);
}

TEST_CASE("pool cycle: a drain by hand is a 0 of monitord's own, over a kill as well") {
  Host host;
  host.cycle();
  host.order(Order::Kind::drain);
  host.cycle();
  CHECK(host.ask("s1") == "up 0%\n");
  host.boot();
  CHECK(host.ask("s1") == "up 0%\n");
  auto const report = host.cycle();
  CHECK(verdict_in(report, web1).outcome == Outcome::hand_drain);
  CHECK(verdict_in(report, web1).own_zero == ZeroCause::hand);
  host.order(Order::Kind::undrain);
  host.cycles(2);
  CHECK(host.ask("s1") != "up 0%\n");
}

TEST_CASE("pool cycle: the last of a pool is not drained") {
  Host host;
  host.config.pools = {pool_config("web", {{"10.0.0.11:80", "s1", 100}})};
  host.boot();
  host.cycle();
  Order drain;
  drain.kind = Order::Kind::drain;
  drain.service = web;
  drain.destination = web1;
  CHECK_FALSE(host.controller->take(drain, host.now).has_value());
}

TEST_CASE("pool cycle: a pin is written exactly") {
  Host host;
  host.cycle();
  host.order(Order::Kind::pin, 73);
  host.cycle();
  CHECK(host.ask("s1") == "up 73%\n");
  Order too_much;
  too_much.kind = Order::Kind::pin;
  too_much.service = web;
  too_much.destination = web1;
  too_much.weight = 257;
  auto const refused = host.controller->take(too_much, host.now);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find("is above 256") != std::string::npos);
}

TEST_CASE("pool cycle: a dry run tells nobody") {
  Host host;
  host.config.dry_run = true;
  host.boot();
  auto const report = host.cycles(5);
  CHECK(verdict_in(report, web1).write.has_value());
  CHECK(report.applied.at(0).result == Applied::Result::dry_run);
  CHECK(host.ask("s1") == "up 100%\n");
  CHECK_FALSE(host.haproxy->is_wanted());
}

TEST_CASE("pool cycle: at the end monitord's own zeros are taken back") {
  Host host;
  host.config.pools[0].service.policy.agent_drain = true;
  host.boot();
  auto readings = unequal(host.now);
  readings.at(address("10.0.0.11")).draining = true;
  host.controller->cycle(host.now, readings);
  CHECK(host.ask("s1") == "up 0%\n");
  auto const done = host.controller->leave();
  CHECK(done.size() == 1);
  CHECK_FALSE(host.haproxy->all_told());
  CHECK(host.ask("s1") == "up 100%\n");
  CHECK(host.haproxy->all_told());
}

TEST_CASE("pool cycle: through keepalived a write is nobody's edit while the kernel lags") {
  Host host;
  auto kept = kept_service();
  kept.policy.strategy = StrategyKind::headroom;
  kept.policy.standby = StandbyPolicy::steer;
  host.config.pools.clear();
  host.config.services = {kept};
  host.boot();
  auto report = host.cycles(2);
  CHECK_FALSE(host.keepalived.written.empty());
  CHECK(host.kernel.written.empty());
  auto const wanted = verdict_in(report, web1).current;
  CHECK(wanted < 10);
  CHECK(host.kernel.find(vip, web1)->weight == 10);
  CHECK(report.foreign_edits == 0);

  host.kernel.find(vip, web1)->weight = wanted;  // now keepalived has taken it
  report = host.cycle();
  CHECK(report.foreign_edits == 0);
  CHECK(verdict_in(report, web1).base == 10);

  host.kernel.find(vip, web1)->weight = 0;  // its check has failed
  auto const before = host.keepalived.written.size();
  report = host.cycles(3);
  CHECK(verdict_in(report, web1).outcome == Outcome::drained);
  for (auto i = before; i < host.keepalived.written.size(); ++i)
    CHECK(host.keepalived.written[i].first != "10.0.0.11:80");

  host.kernel.find(vip, web1)->weight = wanted;  // and back, with what the file says
  report = host.cycle();
  CHECK(verdict_in(report, web1).base == 10);
}
