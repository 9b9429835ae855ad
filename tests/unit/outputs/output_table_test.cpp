// The table of a cycle: the kernel's services and declared pools, and where a weight goes.

#include "monitord/outputs/output_table.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "ipvs/fake_table.hpp"
#include "monitord/apply.hpp"
#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

const auto vip = service_key("tcp 10.9.9.9:80");
const auto other = service_key("tcp 10.9.9.9:81");
const auto web = service_key("pool web");
const auto web1 = destination_key("10.0.0.11:80");
const auto web2 = destination_key("10.0.0.12:80");

using Written = std::vector<std::pair<std::string, std::uint32_t>>;

struct Fixture {
  ipvs::FakeTable kernel{
      {service("tcp 10.9.9.9:80", "wlc", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 20}}),
       service("tcp 10.9.9.9:81", "wlc", {{"10.0.0.11:80", 5}})}};
  RecordingOutput haproxy{OutputKind::haproxy};
  RecordingOutput keepalived{OutputKind::keepalived};
  Moment now{100s};
  OutputTable table{kernel, {&keepalived, &haproxy}, [this] { return now; }};
  Config config{};

  Fixture() {
    config.dry_run = false;
    config.pools = {pool_of_two()};
    config.services = {kept_service(), ServiceConfig{.key = other}};
    table.configure(config);
  }

  tl::expected<void, ipvs::Error> set(const ipvs::ServiceKey& key, const ipvs::DestinationKey& one,
                                      std::uint32_t weight) {
    auto const entry = table.service(key).value();
    auto const found = std::ranges::find(entry.destinations, one, &ipvs::Destination::key);
    return table.set_weight(key, *found, weight);
  }
  std::uint32_t weight(const ipvs::ServiceKey& key, const ipvs::DestinationKey& one) {
    auto const entry = table.service(key).value();
    return std::ranges::find(entry.destinations, one, &ipvs::Destination::key)->weight;
  }
};

bool always(const ipvs::ServiceKey&, std::span<const WeightChange>) {
  return true;
}

}  // namespace

TEST_CASE("output table: what is nowhere is an error and not written") {
  Fixture host;
  auto const nobody = service_key("pool nobody");
  CHECK(host.table.service(nobody).error().kind == ipvs::ErrorKind::no_such_service);
  ipvs::Destination destination;
  destination.key = web1;
  CHECK(host.table.set_weight(nobody, destination, 1).error().kind ==
        ipvs::ErrorKind::no_such_service);
  destination.key = destination_key("10.0.0.99:80");
  auto const unlisted = host.table.set_weight(vip, destination, 1);
  REQUIRE_FALSE(unlisted.has_value());
  CHECK(unlisted.error().message.find("list it with its base weight") != std::string::npos);
  CHECK(host.keepalived.written.empty());
  CHECK(host.kernel.written.empty());
}

TEST_CASE("output table: without an output of its kind nothing is written anywhere") {
  Fixture host;
  OutputTable bare(host.kernel, {}, [] { return Moment{}; });
  bare.configure(host.config);
  auto const entry = bare.service(web).value();
  CHECK_FALSE(bare.set_weight(web, entry.destinations[0], 5).has_value());
  CHECK(bare.service(web)->destinations[0].weight == 100);
}

TEST_CASE("output table: the pools come behind the kernel's services") {
  Fixture host;
  auto const all = host.table.services().value();
  REQUIRE(all.size() == 3);
  CHECK(all[0].service.key == vip);
  CHECK(all[2].service.key == web);
  CHECK(all[2].destinations.size() == 2);
}

TEST_CASE("output table: a kernel that cannot be read is no table, whatever the pools") {
  Fixture host;
  host.kernel.broken = ipvs::Error{ipvs::ErrorKind::no_ipvs, 2, "no IPVS in this kernel"};
  auto const failed = host.table.services();
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message.find("services: []") != std::string::npos);
  host.config.pools.clear();
  host.table.configure(host.config);
  CHECK(host.table.services().error().message == "no IPVS in this kernel");
}

TEST_CASE("output table: with pools alone the kernel is not asked") {
  Fixture host;
  host.kernel.broken = ipvs::Error{ipvs::ErrorKind::no_permission, 1, "no permission"};
  host.config.services.emplace();
  host.table.configure(host.config);
  REQUIRE(host.table.services().has_value());
  CHECK(host.table.services()->size() == 1);
  CHECK(host.kernel.calls == 0);
}

TEST_CASE("output table: weights go to the output of their service, and only there") {
  Fixture host;
  REQUIRE(host.set(web, web1, 37).has_value());
  CHECK(host.haproxy.written == Written{{"s1", 37}});
  CHECK(host.weight(web, web1) == 37);
  CHECK(host.kernel.written.empty());

  REQUIRE(host.set(vip, web2, 8).has_value());
  CHECK(host.keepalived.written == Written{{"10.0.0.12:80", 8}});
  CHECK(host.kernel.written.empty());

  REQUIRE(host.set(other, web1, 3).has_value());
  CHECK(host.kernel.written.size() == 1);
  CHECK(host.kernel.written[0].weight == 3);
}

TEST_CASE("output table: a weight beyond what the output can take never reaches it") {
  Fixture host;
  auto const failed = host.set(web, web1, 257);
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message == "weight 257 is outside of 1 to 256, which haproxy takes");
  CHECK(host.haproxy.written.empty());
  CHECK(host.set(web, web1, 256).has_value());
  CHECK(host.set(web, web1, 0).has_value());
}

TEST_CASE("output table: what an output refuses has not happened") {
  Fixture host;
  host.haproxy.failing["s2"] = "no";
  auto const entry = host.table.service(web).value();
  std::vector<ipvs::WeightWrite> const writes{{entry.destinations[0], 1},
                                              {entry.destinations[1], 2}};
  auto const results = host.table.set_weights(web, writes);
  REQUIRE(results.size() == 2);
  CHECK(results[0].has_value());
  CHECK(results[1].error().message == "no");
  CHECK(host.weight(web, web1) == 1);
  CHECK(host.weight(web, web2) == 50);
}

TEST_CASE("output table: a weight in a track file is read back before keepalived has taken it") {
  Fixture host;
  Plan const plan{{vip, {{web1, 10, 4, "test", {}}}}};
  auto const done = apply(plan, host.table, always);
  REQUIRE(done.size() == 1);
  CHECK(done[0].result == Applied::Result::written);
  CHECK(host.kernel.find(vip, web1)->weight == 10);
  CHECK(host.table.services()->at(0).destinations[0].weight == 4);
  host.kernel.find(vip, web1)->weight = 0;  // keepalived: its check has failed
  CHECK(host.weight(vip, web1) == 0);
}

TEST_CASE("output table: who does not follow is told after a while") {
  Fixture host;
  REQUIRE(host.set(vip, web1, 4).has_value());
  host.now += 1min;
  CHECK(host.table.services()->at(0).destinations[0].weight == 10);
  REQUIRE(host.table.notes().size() == 1);
  CHECK(host.table.notes()[0].find("10.0.0.11:80") != std::string::npos);
}

TEST_CASE("output table: outputs are told what is theirs, and whether it is a dry run") {
  Fixture host;
  CHECK(host.haproxy.acts);
  REQUIRE(host.haproxy.declared.size() == 1);
  CHECK(host.haproxy.declared[0] ==
        OutputPool{web, "be", {{web1, "s1", 100, 100}, {web2, "s2", 50, 50}}});
  REQUIRE(host.keepalived.declared.size() == 1);
  CHECK(host.keepalived.declared[0] ==
        OutputPool{vip, "/f", {{web1, "10.0.0.11:80", 10, 10}, {web2, "10.0.0.12:80", 20, 20}}});

  REQUIRE(host.set(web, web1, 37).has_value());
  host.config.dry_run = true;
  host.table.configure(host.config);
  CHECK_FALSE(host.haproxy.acts);
  CHECK(host.haproxy.declared[0].servers[0].weight == 37);
}

TEST_CASE("output table: what was remembered is what a pool starts with") {
  Fixture host;
  OutputTable fresh(host.kernel, {&host.haproxy}, [] { return Moment{}; });
  fresh.configure(host.config, {{{web, web1}, {100, true, 12, {}, {}}}});
  CHECK(fresh.service(web)->destinations[0].weight == 12);
  CHECK(host.haproxy.declared[0].servers[0].weight == 12);
}

TEST_CASE("output table: counters of a pool are in the next reading") {
  Fixture host;
  host.table.count({web, web1}, {.sessions = 7, .bytes_in = 1, .current = 2});
  auto const all = host.table.services().value();
  CHECK(all[2].destinations[0].statistics.connections == 7);
  CHECK(all[2].destinations[0].active_connections == 2);
}
