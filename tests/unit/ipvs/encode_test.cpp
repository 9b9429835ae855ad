#include <linux/ip_vs.h>

#include <cerrno>
#include <string>

#include "ipvs/codec.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;

namespace {

std::string hex_of_request(std::string_view key) {
  return hex_from_bytes(service_request(service_key_from_string(key).value()));
}

Bytes weight_bytes(std::uint32_t weight) {
  const auto view = std::as_bytes(std::span(&weight, 1));
  return {view.begin(), view.end()};
}

}  // namespace

TEST_CASE("encode: a service is asked for by its identity and nothing else") {
  // SERVICE nest; AF, PROTOCOL, ADDR (16 bytes), PORT in network order.
  CHECK(hex_of_request("tcp:10.9.9.9:80") ==
        "30000180"
        "0600010002000000"
        "0600020006000000"
        "140003000a090909000000000000000000000000"
        "0600040000500000");
  CHECK(hex_of_request("sctp:[fd00::9]:3868") ==
        "30000180"
        "060001000a000000"
        "0600020084000000"
        "14000300fd000000000000000000000000000009"
        "060004000f1c0000");
}

TEST_CASE("encode: a fwmark service is asked for by family and mark alone") {
  CHECK(hex_of_request("fwm:7") ==
        "14000180"
        "0600010002000000"
        "0800050007000000");
  CHECK(hex_of_request("fwm6:7") ==
        "14000180"
        "060001000a000000"
        "0800050007000000");
}

TEST_CASE("encode: what cannot be written back is refused") {
  const auto raw = nest(fixture("nat4").destinations.at(1));
  const auto message = [](const tl::expected<Bytes, Error>& result) {
    return result.has_value() ? "written" : result.error().message;
  };
  CHECK(message(raw_with_weight({}, 1, Family::inet)) ==
        "destination cannot be written back: no WEIGHT in it");
  CHECK(message(raw_with_weight(ByteView(raw).first(3), 1, Family::inet)) ==
        "destination cannot be written back: 3 bytes left where an attribute needs 4");
  auto narrow = without(raw, IPVS_DEST_ATTR_WEIGHT);
  append_integer(narrow, IPVS_DEST_ATTR_WEIGHT, std::uint16_t{1});
  CHECK(message(raw_with_weight(narrow, 1, Family::inet)) ==
        "destination cannot be written back: WEIGHT has 2 bytes instead of 4");
}

TEST_CASE("encode: a weight above the kernel's limit is refused before it is sent") {
  const auto raw = nest(fixture("nat4").destinations.at(1));
  CHECK(raw_with_weight(raw, max_weight, Family::inet).has_value());
  const auto refused = raw_with_weight(raw, max_weight + 1, Family::inet);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == ErrorKind::refused);
  CHECK(refused.error().error_number == ERANGE);
  CHECK(refused.error().message.find("2147483648") != std::string::npos);
}

TEST_CASE("encode: a write changes the four bytes of the weight and no other") {
  const auto name =
      GENERATE(as<std::string>{}, "nat4", "inet6", "fwmark", "tunnel", "mixed", "persistent");
  for (const auto& message : fixture(name).destinations) {
    const auto raw = nest(message);
    const auto written = raw_with_weight(raw, 0x01020304, Family::inet).value();
    REQUIRE(written.size() == raw.size());
    const auto read = destination_from_attributes(written, Family::inet).value();
    CHECK(read.weight == 0x01020304);
    // Put the old weight back: every byte is as it was.
    const auto old_weight = destination_from_attributes(raw, Family::inet).value().weight;
    CHECK(raw_with_weight(written, old_weight, Family::inet).value() == raw);
  }
}

TEST_CASE("encode: unknown attributes survive a write") {
  auto raw = nest(fixture("tunnel").destinations.at(3));
  append_attribute(raw, 200, bytes_from_hex("c0ffee"));
  const auto written = raw_with_weight(raw, 9, Family::inet).value();
  CHECK(hex_from_bytes(written).ends_with("0700c800c0ffee00"));
  CHECK(destination_from_attributes(written, Family::inet).value().tunnel ==
        Tunnel{TunnelType::gue, 6080, 1});
}

TEST_CASE("encode: what an old kernel left out is added and what is there stays") {
  auto raw = nest(fixture("mixed").destinations.at(1));
  for (const auto type : {IPVS_DEST_ATTR_ADDR_FAMILY, IPVS_DEST_ATTR_TUN_TYPE,
                          IPVS_DEST_ATTR_TUN_PORT, IPVS_DEST_ATTR_TUN_FLAGS}) {
    raw = without(raw, type);
  }
  const auto written = raw_with_weight(raw, 4, Family::inet6).value();
  // ADDR_FAMILY 10, TUN_TYPE 0, TUN_PORT 0, TUN_FLAGS 0
  CHECK(hex_from_bytes(written) == hex_from_bytes(raw) +
                                       "06000b000a000000"
                                       "05000d0000000000"
                                       "06000e0000000000"
                                       "06000f0000000000");
  CHECK(raw_with_weight(written, 4, Family::inet).value() == written);
}

TEST_CASE("encode: attributes are added aligned after one that came without its padding") {
  auto raw = without(nest(fixture("mixed").destinations.at(1)), IPVS_DEST_ATTR_ADDR_FAMILY);
  append_attribute(raw, 200, bytes_from_hex("ff"));
  raw.resize(raw.size() - 3);
  const auto written = raw_with_weight(raw, 4, Family::inet6).value();
  CHECK(
      hex_from_bytes(written).ends_with("0500c800ff000000"
                                        "06000b000a000000"));
}

TEST_CASE("encode: the last of two weights counts for the kernel and so both are replaced") {
  auto raw = nest(fixture("nat4").destinations.at(1));
  append_attribute(raw, IPVS_DEST_ATTR_WEIGHT, weight_bytes(77));
  const auto written = raw_with_weight(raw, 9, Family::inet).value();
  CHECK(destination_from_attributes(written, Family::inet).value().weight == 9);
  CHECK(hex_from_bytes(written).find("080004004d000000") == std::string::npos);
  CHECK(hex_from_bytes(written).find("0800040032000000") == std::string::npos);
}

TEST_CASE("encode: SET_DEST carries the service and then the destination") {
  const auto key = service_key_from_string("fwm:7").value();
  const auto raw = bytes_from_hex("0800040009000000");
  CHECK(hex_from_bytes(set_destination_request(key, raw)) ==
        "14000180"
        "0600010002000000"
        "0800050007000000"
        "0c000280"
        "0800040009000000");
}
