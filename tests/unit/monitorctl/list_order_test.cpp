#include "monitorctl/list_order.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::monitorctl::testing::destination_key;
using lvs::monitorctl::testing::service_key;

namespace {

/// a: weight 5, b: 9, c: 5; the daemon knows a and b.
std::vector<lvs::ipvs::ServiceEntry> three() {
  lvs::ipvs::ServiceEntry entry;
  entry.service.key = service_key("tcp:10.9.9.9:80");
  const std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t>> rows{
      {"10.0.0.1:80", 5, 3, 1}, {"10.0.0.2:80", 9, 3, 8}, {"10.0.0.3:80", 5, 4, 0}};
  for (const auto& [name, weight, active, inactive] : rows) {
    lvs::ipvs::Destination one;
    one.key = destination_key(name);
    one.weight = weight;
    one.active_connections = active;
    one.inactive_connections = inactive;
    entry.destinations.push_back(one);
  }
  return {entry};
}

Status two_known() {
  DestinationStatus first;
  first.destination = "10.0.0.1:80";
  first.server = "zebra";
  first.cpu_busy = 0.25;
  first.mem_available = 0.5;
  DestinationStatus second;
  second.destination = "10.0.0.2:80";
  second.server = "ape";
  second.cpu_busy = 0.75;
  second.mem_available = 0.75;
  Status status;
  status.services = {{"tcp 10.9.9.9:80", "wrr", {first, second}}};
  return status;
}

/// The last digits of the addresses.
std::string order_of(const std::vector<lvs::ipvs::ServiceEntry>& services) {
  std::string order;
  for (const auto& destination : services.at(0).destinations)
    order += std::to_string(destination.key.address.bytes[3]);
  return order;
}

}  // namespace

TEST_CASE("list order: by each key, what is unknown last, alike as before") {
  const auto [word, expected] = GENERATE(table<std::string, std::string>({
      {"name", "213"},
      {"weight", "213"},
      {"cpu", "213"},
      {"memory", "123"},
      {"connections", "321"},
  }));
  INFO(word);
  auto services = three();
  const auto status = two_known();
  sort_destinations(services, sort_key_from_word(word).value(), StatusIndex(status));
  CHECK(order_of(services) == expected);
}

TEST_CASE("list order: without a daemon its keys change nothing") {
  auto services = three();
  for (const auto& word : sort_key_words()) {
    const auto key = sort_key_from_word(word).value();
    if (!is_of_daemon(key)) continue;
    sort_destinations(services, key, StatusIndex());
    CHECK(order_of(services) == "123");
  }
}

TEST_CASE("list order: other words are no keys") {
  CHECK_FALSE(sort_key_from_word("true"));
  CHECK_FALSE(sort_key_from_word(""));
  CHECK_FALSE(sort_key_from_word("Weight"));
  CHECK(sort_key_from_word("connections") == SortKey::connections);
}
