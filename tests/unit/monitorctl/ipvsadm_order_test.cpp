#include "monitorctl/ipvsadm_order.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::ipvs::ServiceEntry;
using lvs::monitorctl::testing::destination_key;
using lvs::monitorctl::testing::service_key;

namespace {

std::vector<std::string> sorted_services(const std::vector<std::string>& names) {
  std::vector<ServiceEntry> table;
  for (const auto& name : names) {
    ServiceEntry entry;
    entry.service.key = service_key(name);
    table.push_back(entry);
  }
  sort_as_ipvsadm(table);
  std::vector<std::string> order;
  for (const auto& entry : table) {
    order.push_back(lvs::ipvs::string_from_service_key(entry.service.key));
  }
  return order;
}

std::vector<std::string> sorted_destinations(const std::vector<std::string>& names) {
  std::vector<ServiceEntry> table(1);
  for (const auto& name : names) {
    lvs::ipvs::Destination destination;
    destination.key = destination_key(name);
    table[0].destinations.push_back(destination);
  }
  sort_as_ipvsadm(table);
  std::vector<std::string> order;
  for (const auto& destination : table[0].destinations) {
    order.push_back(lvs::ipvs::string_from_destination_key(destination.key));
  }
  return order;
}

using Names = std::vector<std::string>;

lvs::ipvs::Destination destination_at(std::uint32_t address) {
  lvs::ipvs::Destination destination;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    destination.key.address.bytes[byte] = static_cast<std::uint8_t>(address >> (24 - 8 * byte));
  }
  return destination;
}

std::uint32_t address_of(const lvs::ipvs::Destination& destination) {
  std::uint32_t address = 0;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    address = address << 8 | destination.key.address.bytes[byte];
  }
  return address;
}

int compared_as_libipvs(const void* left, const void* right) {
  const auto a = *static_cast<const std::uint32_t*>(left);
  const auto b = *static_cast<const std::uint32_t*>(right);
  return static_cast<int>(a - b);
}

}  // namespace

TEST_CASE("ipvsadm order: mark then family then protocol then address then port") {
  CHECK(sorted_services({"fwm:9", "fwm6:7", "tcp:[fd00::1]:1", "udp:10.0.0.1:1", "sctp:10.0.0.1:1",
                         "tcp:10.0.0.2:1", "tcp:10.0.0.1:443", "tcp:10.0.0.1:80", "fwm:7"}) ==
        Names{"tcp 10.0.0.1:80", "tcp 10.0.0.1:443", "tcp 10.0.0.2:1", "udp 10.0.0.1:1",
              "sctp 10.0.0.1:1", "tcp [fd00::1]:1", "fwm 7", "fwm6 7", "fwm 9"});
}

TEST_CASE("ipvsadm order: addresses further apart than half the space wrap round") {
  CHECK(sorted_services({"tcp:10.0.0.1:80", "tcp:192.168.0.1:80"}) ==
        Names{"tcp 192.168.0.1:80", "tcp 10.0.0.1:80"});
  CHECK(sorted_services({"fwm:1", "fwm:4294967295"}) == Names{"fwm 4294967295", "fwm 1"});
  CHECK(sorted_destinations({"[2001:db8::1]:80", "[fd00::1]:80"}) ==
        Names{"[fd00::1]:80", "[2001:db8::1]:80"});
}

TEST_CASE("ipvsadm order: an order that goes round in circles ends as with the C library") {
  // 10/8 < 100/8 < 170/8 < 10/8: what comes out depends on the merges.
  CHECK(sorted_destinations({"10.0.0.1:1", "100.0.0.1:1", "170.0.0.1:1"}) ==
        Names{"10.0.0.1:1", "100.0.0.1:1", "170.0.0.1:1"});
  CHECK(sorted_destinations({"170.0.0.1:1", "100.0.0.1:1", "10.0.0.1:1"}) ==
        Names{"170.0.0.1:1", "10.0.0.1:1", "100.0.0.1:1"});
}

TEST_CASE("ipvsadm order: any addresses come out as qsort puts them") {
  REQUIRE(rc::check("against the C library", [](const std::vector<std::uint32_t>& addresses) {
    std::vector<ServiceEntry> table(1);
    for (const auto address : addresses) {
      table[0].destinations.push_back(destination_at(address));
    }
    sort_as_ipvsadm(table);
    auto expected = addresses;
    // qsort of nothing must not be handed the null pointer of an empty vector.
    expected.reserve(1);
    std::qsort(expected.data(), expected.size(), sizeof(std::uint32_t), compared_as_libipvs);
    std::vector<std::uint32_t> sorted;
    for (const auto& destination : table[0].destinations) {
      sorted.push_back(address_of(destination));
    }
    RC_ASSERT(sorted == expected);
  }));
}

TEST_CASE("ipvsadm order: sorting loses nothing and sorting twice changes nothing") {
  REQUIRE(rc::check("near addresses", [] {
    const auto ports =
        *rc::gen::container<std::vector<std::uint16_t>>(rc::gen::arbitrary<std::uint16_t>());
    std::vector<ServiceEntry> table(1);
    for (const auto port : ports) {
      lvs::ipvs::Destination destination;
      destination.key.address.bytes[3] = static_cast<std::uint8_t>(port & 3);
      destination.key.port = port;
      table[0].destinations.push_back(destination);
    }
    auto expected = table[0].destinations;
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    sort_as_ipvsadm(table);
    RC_ASSERT(table[0].destinations == expected);
    sort_as_ipvsadm(table);
    RC_ASSERT(table[0].destinations == expected);
  }));
}
