#include "monitord/outputs/pool_table.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include "pools.hpp"
#include "support/catch.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

const auto web = service_key("pool web");

DestinationId id(std::string_view destination) {
  return {web, destination_key(destination)};
}

std::vector<std::uint32_t> weights(const PoolTable& table) {
  std::vector<std::uint32_t> all;
  for (auto const& destination : table.find(web)->destinations)
    all.push_back(destination.weight);
  return all;
}

using Weights = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("pool table: nothing declared is nothing there") {
  PoolTable table;
  table.declare({}, {});
  CHECK(table.entries().empty());
  CHECK(table.find(web) == nullptr);
  table.set_weight(id("10.0.0.11:80"), 5);
  table.count(id("10.0.0.11:80"), {1, 2, 3});
  CHECK(table.entries().empty());
}

TEST_CASE("pool table: a pool looks as a service does, at its base weights") {
  PoolTable table;
  std::vector pools{pool_of_two()};
  pools[0].balance = "leastconn";
  table.declare(pools, {});
  REQUIRE(table.entries().size() == 1);
  auto const& entry = table.entries().front();
  CHECK(entry.service.key == web);
  CHECK(entry.service.scheduler == "leastconn");
  REQUIRE(entry.destinations.size() == 2);
  CHECK(entry.destinations[0].key == destination_key("10.0.0.11:80"));
  CHECK(weights(table) == Weights{100, 50});
}

TEST_CASE("pool table: what is remembered of a server counts, but not a 0 of nobody") {
  Remembered const remembered{
      {id("10.0.0.11:80"), {100, true, 37, {}, {}}},
      {id("10.0.0.12:80"), {50, true, 0, {}, {}}},
  };
  PoolTable table;
  std::vector const pools{pool_of_two()};
  table.declare(pools, remembered);
  CHECK(weights(table) == Weights{37, 50});

  Remembered const drained{{id("10.0.0.12:80"), {50, true, 0, {}, ZeroCause::hand}}};
  PoolTable other;
  other.declare(pools, drained);
  CHECK(weights(other) == Weights{100, 0});
}

TEST_CASE("pool table: declared anew, servers that stay keep what they have") {
  PoolTable table;
  std::vector pools{pool_of_two()};
  table.declare(pools, {});
  table.set_weight(id("10.0.0.11:80"), 7);
  table.count(id("10.0.0.11:80"), {9, 1000, 3});
  pools[0].service.bases = {{destination_key("10.0.0.11:80"), 200},
                            {destination_key("10.0.0.13:80"), 30}};
  pools[0].names = {{destination_key("10.0.0.11:80"), "s1"},
                    {destination_key("10.0.0.13:80"), "s3"}};
  table.declare(pools, {});
  CHECK(weights(table) == Weights{7, 30});
  CHECK(table.find(web)->destinations[0].active_connections == 3);
  table.declare({}, {});
  table.declare(pools, {});
  CHECK(weights(table) == Weights{200, 30});
}

TEST_CASE("pool table: counters are those of connections") {
  PoolTable table;
  std::vector const pools{pool_of_two()};
  table.declare(pools, {});
  table.count(id("10.0.0.12:80"), {.sessions = 12, .bytes_in = 3400, .current = 5});
  auto const& destination = table.find(web)->destinations[1];
  CHECK(destination.statistics.connections == 12);
  CHECK(destination.active_connections == 5);
  CHECK(destination.inactive_connections == 0);
  CHECK(destination.statistics.in_packets == 3400);  // the sign of life
}
