#include <rapidcheck.h>

#include "ipvs/codec.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;

namespace {

template <typename Integer>
Integer any() {
  return *rc::gen::arbitrary<Integer>();
}

/// Small and extreme values alike; rapidcheck alone prefers small ones.
std::uint64_t any_count() {
  return *rc::gen::oneOf(rc::gen::arbitrary<std::uint64_t>(),
                         rc::gen::element<std::uint64_t>(0, 0xffffffff, 0x100000000, ~0ULL));
}

Bytes any_bytes() {
  Bytes bytes;
  for (const auto each : any<std::vector<std::uint8_t>>()) {
    bytes.push_back(static_cast<std::byte>(each));
  }
  return bytes;
}

IpAddress any_address(Family family) {
  IpAddress address{.family = family};
  const std::size_t size = family == Family::inet ? 4 : 16;
  for (std::size_t i = 0; i < size; ++i)
    address.bytes.at(i) = any<std::uint8_t>();
  return address;
}

Family any_family() {
  return *rc::gen::element(Family::inet, Family::inet6);
}

Statistics any_statistics() {
  return {any_count(), any_count(), any_count(), any_count(), any_count(),
          any_count(), any_count(), any_count(), any_count(), any_count()};
}

ServiceKey any_service_key() {
  ServiceKey key{.family = any_family()};
  if (any<bool>()) {
    key.fwmark = *rc::gen::nonZero<std::uint32_t>();
    return key;
  }
  key.protocol = *rc::gen::element(Protocol::tcp, Protocol::udp, Protocol::sctp);
  key.address = any_address(key.family);
  key.port = any<std::uint16_t>();
  return key;
}

Service any_service() {
  return {.key = any_service_key(),
          .scheduler = *rc::gen::element<std::string>("wrr", "wlc", "none", "mh"),
          .flags = any<std::uint32_t>() & ~service_flag::hashed,
          .timeout_s = any<std::uint32_t>(),
          .netmask = any<std::uint32_t>(),
          .persistence_engine = *rc::gen::element<std::string>("", "sip"),
          .statistics = any_statistics()};
}

Destination any_destination() {
  Destination destination{
      .key = {any_address(any_family()), any<std::uint16_t>()},
      .weight = *rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, max_weight),
                                rc::gen::element<std::uint32_t>(0, 1, 65536, max_weight)),
      .forwarding = static_cast<ForwardingMethod>(*rc::gen::inRange<std::uint32_t>(0, 8)),
      .tunnel = {static_cast<TunnelType>(*rc::gen::inRange<std::uint8_t>(0, 3)),
                 any<std::uint16_t>(), any<std::uint16_t>()},
      .upper_threshold = any<std::uint32_t>(),
      .lower_threshold = any<std::uint32_t>(),
      .active_connections = any<std::uint32_t>(),
      .inactive_connections = any<std::uint32_t>(),
      .persistent_connections = any<std::uint32_t>(),
      .statistics = any_statistics()};
  destination.raw = attributes_from_destination(destination);
  return destination;
}

}  // namespace

TEST_CASE("codec property: a service is read as it was written") {
  REQUIRE(rc::check([] {
    const auto service = any_service();
    RC_ASSERT(service_from_attributes(attributes_from_service(service)) == service);
  }));
}

TEST_CASE("codec property: a destination is read as it was written whatever the service") {
  REQUIRE(rc::check([] {
    const auto destination = any_destination();
    RC_ASSERT(destination_from_attributes(destination.raw, any_family()) == destination);
  }));
}

TEST_CASE("codec property: a weight write changes the weight and nothing else") {
  REQUIRE(rc::check([] {
    auto destination = any_destination();
    append_attribute(destination.raw, *rc::gen::inRange<std::uint16_t>(17, 0x3fff), any_bytes());
    const auto weight = *rc::gen::inRange<std::uint32_t>(0, max_weight);
    const auto written =
        raw_with_weight(destination.raw, weight, destination.key.address.family).value();
    auto read = destination_from_attributes(written, Family::inet).value();
    RC_ASSERT(read.weight == weight);
    RC_ASSERT(written.size() == destination.raw.size());
    read.weight = destination.weight;
    read.raw = destination.raw;
    RC_ASSERT(read == destination);
    RC_ASSERT(raw_with_weight(written, destination.weight, Family::inet).value() ==
              destination.raw);
  }));
}

TEST_CASE("codec property: the request for a service carries its whole identity") {
  REQUIRE(rc::check([] {
    auto service = any_service();
    // What the request holds, and then what else a service needs to be decoded.
    const auto rest = attributes_from_service(Service{.key = {.fwmark = 1}});
    auto bytes = without(without(rest, 1), 5) + nest(service_request(service.key));
    RC_ASSERT(service_from_attributes(bytes).value().key == service.key);
  }));
}

TEST_CASE("codec property: the text of a key names that key") {
  REQUIRE(rc::check([] {
    const auto key = any_service_key();
    RC_ASSERT(service_key_from_string(string_from_service_key(key)) == key);
    const DestinationKey destination{any_address(any_family()), any<std::uint16_t>()};
    RC_ASSERT(destination_key_from_string(string_from_destination_key(destination)) == destination);
  }));
}

TEST_CASE("codec property: no bytes at all can do harm") {
  REQUIRE(rc::check([] {
    // A real message with a few bytes changed gets further than random bytes do.
    auto bytes = any<bool>() ? any_bytes() : nested(2, any_destination().raw);
    const auto changes = *rc::gen::inRange(0, 6);
    for (int i = 0; i < changes && !bytes.empty(); ++i) {
      bytes.at(*rc::gen::inRange<std::size_t>(0, bytes.size())) =
          static_cast<std::byte>(any<std::uint8_t>());
    }
    const auto destination = destination_from_message(bytes, any_family());
    const auto service = service_from_message(bytes);
    const auto messages = messages_from_datagram(bytes);
    // RC_ASSERT evaluates both sides of a ||.
    const auto is_malformed = [](const auto& error) { return error.kind == ErrorKind::malformed; };
    if (!destination) RC_ASSERT(is_malformed(destination.error()));
    if (!service) RC_ASSERT(is_malformed(service.error()));
    if (!messages) RC_ASSERT_FALSE(messages.error().empty());
    if (destination) RC_ASSERT(raw_with_weight(destination->raw, 1, Family::inet).has_value());
  }));
}
