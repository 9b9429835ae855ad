#include "bench/moving_table.hpp"

#include <cstddef>
#include <set>

#include "bench/loopback_servers.hpp"
#include "support/catch.hpp"

using namespace lvs::bench;
namespace ipvs = lvs::ipvs;

TEST_CASE("moving table: services of 100, each destination a server of its own") {
  const auto table = loopback_table(250);
  REQUIRE(table.size() == 3);
  CHECK(table[0].destinations.size() == 100);
  CHECK(table[2].destinations.size() == 50);
  std::set<ipvs::ServiceKey> services;
  std::set<ipvs::IpAddress> servers;
  for (const auto& entry : table) {
    services.insert(entry.service.key);
    for (const auto& destination : entry.destinations)
      servers.insert(destination.key.address);
  }
  CHECK(services.size() == 3);
  CHECK(servers.size() == 250);
  CHECK(servers.contains(server_address(249)));
  CHECK(loopback_table(0).empty());
}

TEST_CASE("moving table: connections come to everybody with each reading of the whole") {
  double now = 0;
  MovingTable table(loopback_table(10), [&now] { return now += 0.5; });
  const auto before = table.services().value();
  const auto after = table.services().value();
  for (std::size_t i = 0; i < 10; ++i) {
    const auto& first = before[0].destinations[i].statistics;
    const auto& second = after[0].destinations[i].statistics;
    CHECK(second.connections > first.connections);
    CHECK(second.in_packets > first.in_packets);
    CHECK(after[0].destinations[i].active_connections > 0);
  }
  CHECK(table.spent_s() == Approx(1));
}

TEST_CASE("moving table: a weight that was written stays, and reading one service moves nothing") {
  MovingTable table(loopback_table(3), [] { return 0.0; });
  const auto read = table.services().value();
  const auto& key = read[0].service.key;
  REQUIRE(table.set_weight(key, read[0].destinations[1], 7).has_value());
  const auto again = table.service(key).value();
  CHECK(again.destinations[1].weight == 7);
  CHECK(again.destinations[0] == read[0].destinations[0]);
  CHECK(again.destinations[1].raw == read[0].destinations[1].raw);
  CHECK(table.services().value()[0].destinations[1].weight == 7);
}
