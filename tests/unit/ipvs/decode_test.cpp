#include <linux/ip_vs.h>

#include <limits>
#include <string>

#include "ipvs/codec.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;
using namespace lvs::ipvs::test;

namespace {

const std::vector<std::string> fixture_names{"nat4",   "inet6", "fwmark",
                                             "tunnel", "mixed", "persistent"};

Service service_of(std::string_view name, std::size_t index = 0) {
  return service_from_message(fixture(name).services.at(index)).value();
}

/// Families as in the kernel: the first service of a fixture is the newest one.
Destination destination_of(std::string_view name, std::size_t index, Family family = Family::inet) {
  return destination_from_message(fixture(name).destinations.at(index), family).value();
}

std::string problem(const tl::expected<Destination, Error>& result) {
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().kind == ErrorKind::malformed);
  return result.error().message;
}

std::string problem(const tl::expected<Service, Error>& result) {
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().kind == ErrorKind::malformed);
  return result.error().message;
}

/// `payload` with the attribute of `type` replaced by one with these bytes.
Bytes with(ByteView payload, int type, const Bytes& value) {
  auto bytes = without(payload, type);
  append_attribute(bytes, static_cast<std::uint16_t>(type), value);
  return bytes;
}

Bytes zeros(std::size_t size) {
  return Bytes(size);
}

}  // namespace

TEST_CASE("decode: a destination without what every kernel sends is refused") {
  const auto [type, name] =
      GENERATE(table<int, std::string>({{IPVS_DEST_ATTR_ADDR, "no ADDR"},
                                        {IPVS_DEST_ATTR_PORT, "no PORT"},
                                        {IPVS_DEST_ATTR_FWD_METHOD, "no FWD_METHOD"},
                                        {IPVS_DEST_ATTR_WEIGHT, "no WEIGHT"},
                                        {IPVS_DEST_ATTR_U_THRESH, "no U_THRESH"},
                                        {IPVS_DEST_ATTR_L_THRESH, "no L_THRESH"},
                                        {IPVS_DEST_ATTR_ACTIVE_CONNS, "no ACTIVE_CONNS"},
                                        {IPVS_DEST_ATTR_INACT_CONNS, "no INACT_CONNS"},
                                        {IPVS_DEST_ATTR_PERSIST_CONNS, "no PERSIST_CONNS"}}));
  const auto payload = without(nest(fixture("nat4").destinations.at(0)), type);
  CHECK(problem(destination_from_attributes(payload, Family::inet)) ==
        "malformed destination: " + name);
}

TEST_CASE("decode: a destination with an attribute of a wrong length is refused with the numbers") {
  const auto [type, size, message] = GENERATE(table<int, std::size_t, std::string>(
      {{IPVS_DEST_ATTR_ADDR, 0, "ADDR has 0 bytes instead of 4 to 16"},
       {IPVS_DEST_ATTR_ADDR, 3, "ADDR has 3 bytes instead of 4 to 16"},
       {IPVS_DEST_ATTR_ADDR, 17, "ADDR has 17 bytes instead of 4 to 16"},
       {IPVS_DEST_ATTR_PORT, 4, "PORT has 4 bytes instead of 2"},
       {IPVS_DEST_ATTR_WEIGHT, 2, "WEIGHT has 2 bytes instead of 4"},
       {IPVS_DEST_ATTR_WEIGHT, 8, "WEIGHT has 8 bytes instead of 4"},
       {IPVS_DEST_ATTR_ADDR_FAMILY, 1, "ADDR_FAMILY has 1 bytes instead of 2"},
       {IPVS_DEST_ATTR_ADDR_FAMILY, 2, "address family 0 is neither 2 nor 10"},
       {IPVS_DEST_ATTR_TUN_TYPE, 4, "TUN_TYPE has 4 bytes instead of 1"},
       {IPVS_DEST_ATTR_TUN_PORT, 0, "TUN_PORT has 0 bytes instead of 2"},
       {IPVS_DEST_ATTR_TUN_FLAGS, 3, "TUN_FLAGS has 3 bytes instead of 2"},
       {IPVS_DEST_ATTR_STATS64, 0, "malformed statistics: no CONNS"},
       {IPVS_DEST_ATTR_STATS64, 3,
        "malformed statistics: 3 bytes left where an attribute needs 4"}}));
  const auto payload = with(nest(fixture("nat4").destinations.at(0)), type, zeros(size));
  CHECK(problem(destination_from_attributes(payload, Family::inet)) ==
        "malformed destination: " + message);
}

TEST_CASE("decode: an IPv6 destination needs the whole address") {
  const auto size = GENERATE(4U, 15U, 17U);
  const auto payload =
      with(nest(fixture("inet6").destinations.at(0)), IPVS_DEST_ATTR_ADDR, zeros(size));
  CHECK(problem(destination_from_attributes(payload, Family::inet6)) ==
        "malformed destination: ADDR has " + std::to_string(size) + " bytes instead of 16");
}

TEST_CASE("decode: a service without what every kernel sends is refused") {
  const auto [type, name] =
      GENERATE(table<int, std::string>({{IPVS_SVC_ATTR_AF, "no AF"},
                                        {IPVS_SVC_ATTR_PROTOCOL, "no PROTOCOL"},
                                        {IPVS_SVC_ATTR_ADDR, "no ADDR"},
                                        {IPVS_SVC_ATTR_PORT, "no PORT"},
                                        {IPVS_SVC_ATTR_SCHED_NAME, "no SCHED_NAME"},
                                        {IPVS_SVC_ATTR_FLAGS, "no FLAGS"},
                                        {IPVS_SVC_ATTR_TIMEOUT, "no TIMEOUT"},
                                        {IPVS_SVC_ATTR_NETMASK, "no NETMASK"}}));
  const auto payload = without(nest(fixture("nat4").services.at(0)), type);
  const auto message = problem(service_from_attributes(payload));
  CHECK(message.find(name) != std::string::npos);
}

TEST_CASE("decode: a service with an attribute of a wrong length is refused with the numbers") {
  const auto [type, size, message] = GENERATE(table<int, std::size_t, std::string>(
      {{IPVS_SVC_ATTR_AF, 4, "AF has 4 bytes instead of 2"},
       {IPVS_SVC_ATTR_AF, 2, "address family 0 is neither 2 nor 10"},
       {IPVS_SVC_ATTR_FWMARK, 2, "FWMARK has 2 bytes instead of 4"},
       {IPVS_SVC_ATTR_PROTOCOL, 1, "PROTOCOL has 1 bytes instead of 2"},
       {IPVS_SVC_ATTR_ADDR, 2, "ADDR has 2 bytes instead of 4 to 16"},
       {IPVS_SVC_ATTR_FLAGS, 4, "FLAGS has 4 bytes instead of 8"},
       {IPVS_SVC_ATTR_NETMASK, 16, "NETMASK has 16 bytes instead of 4"}}));
  const auto payload = with(nest(fixture("nat4").services.at(0)), type, zeros(size));
  CHECK(problem(service_from_attributes(payload)) == "malformed service: " + message);
}

TEST_CASE("decode: a message about something else is refused") {
  const auto captured = fixture("nat4");
  CHECK(problem(service_from_message(captured.destinations.at(0))) ==
        "malformed message: no SERVICE");
  CHECK(problem(destination_from_message(captured.services.at(0), Family::inet)) ==
        "malformed message: no DEST");
  CHECK(problem(service_from_message({})) == "malformed message: no SERVICE");
  CHECK_FALSE(kernel_info_from_message({}).has_value());
}

TEST_CASE("decode: a message cut at any byte is refused") {
  const auto name = GENERATE(from_range(fixture_names));
  const auto captured = fixture(name);
  for (const auto& whole : captured.destinations) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      REQUIRE_FALSE(
          destination_from_message(ByteView(whole).first(length), Family::inet).has_value());
    }
  }
  for (const auto& whole : captured.services) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      REQUIRE_FALSE(service_from_message(ByteView(whole).first(length)).has_value());
    }
  }
  for (std::size_t length = 0; length < captured.info.size(); ++length) {
    REQUIRE_FALSE(kernel_info_from_message(ByteView(captured.info).first(length)).has_value());
  }
}

TEST_CASE("decode: a nest cut at any byte is refused or says the same") {
  // Only STATS64, the last attribute, may be missing: old kernels do not have it.
  const auto name = GENERATE(from_range(fixture_names));
  for (const auto& message : fixture(name).destinations) {
    const auto whole = nest(message);
    const auto expected = destination_from_attributes(whole, Family::inet).value();
    for (std::size_t length = 0; length < whole.size(); ++length) {
      auto cut = destination_from_attributes(ByteView(whole).first(length), Family::inet);
      if (!cut) continue;
      REQUIRE(length == without(whole, IPVS_DEST_ATTR_STATS64).size());
      cut->raw = expected.raw;
      REQUIRE(*cut == expected);
    }
  }
  for (const auto& message : fixture(name).services) {
    const auto whole = nest(message);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto cut = service_from_attributes(ByteView(whole).first(length));
      if (cut) REQUIRE(*cut == service_from_attributes(whole).value());
    }
  }
}

TEST_CASE("decode: a captured IPv4 service with masquerading and thresholds") {
  const auto service = service_of("nat4");
  CHECK(string_from_service_key(service.key) == "tcp 10.9.9.9:80");
  CHECK(service.scheduler == "wrr");
  CHECK(service.flags == 0);
  CHECK(service.netmask == 0xffffffff);
  CHECK(service.persistence_engine.empty());

  const auto drained = destination_of("nat4", 0);  // the newest comes first
  CHECK(string_from_destination_key(drained.key) == "10.0.0.12:80");
  CHECK(drained.weight == 0);
  CHECK(drained.forwarding == ForwardingMethod::direct_route);
  const auto limited = destination_of("nat4", 1);
  CHECK(string_from_destination_key(limited.key) == "10.0.0.11:80");
  CHECK(limited.weight == 50);
  CHECK(limited.forwarding == ForwardingMethod::masquerade);
  CHECK(limited.upper_threshold == 100);
  CHECK(limited.lower_threshold == 60);
}

TEST_CASE("decode: a captured IPv6 service with a prefix length and the largest weight") {
  const auto service = service_of("inet6");
  CHECK(string_from_service_key(service.key) == "tcp [fd00::9]:443");
  CHECK(service.netmask == 64);  // host order, unlike the IPv4 mask
  CHECK(service.flags == service_flag::persistent);
  CHECK(service.timeout_s == 300);
  CHECK(destination_of("inet6", 0, Family::inet6).weight == max_weight);
  CHECK(string_from_destination_key(destination_of("inet6", 1).key) == "[2001:db8:1::11]:443");
}

TEST_CASE("decode: captured fwmark services have one mark and two families") {
  const auto inet6 = service_of("fwmark", 0);
  const auto inet = service_of("fwmark", 1);
  CHECK(string_from_service_key(inet6.key) == "fwm6 7");
  CHECK(string_from_service_key(inet.key) == "fwm 7");
  CHECK(inet.scheduler == "mh");
  CHECK(inet.flags == (service_flag::sched1 | service_flag::sched2));
  CHECK(string_from_destination_key(destination_of("fwmark", 1).key) == "10.0.0.11:0");
}

TEST_CASE("decode: captured tunnels keep type and port and flags") {
  const auto [index, tunnel] =
      GENERATE(table<std::size_t, Tunnel>({{0, {TunnelType::ipip, 0, 0}},
                                           {1, {TunnelType::gue, 6081, 2}},
                                           {2, {TunnelType::gre, 0, 1}},
                                           {3, {TunnelType::gue, 6080, 1}}}));
  const auto destination = destination_of("tunnel", index);
  CHECK(destination.forwarding == ForwardingMethod::tunnel);
  CHECK(destination.tunnel == tunnel);
}

TEST_CASE("decode: captured persistence and one-packet and SCTP") {
  const auto services = fixture("persistent").services;
  REQUIRE(services.size() == 3);
  const auto find = [&](std::string_view name) {
    for (const auto& each : services) {
      const auto service = service_from_message(each).value();
      if (string_from_service_key(service.key) == name) return service;
    }
    FAIL("no " << name);
    return Service{};
  };
  const auto tcp = find("tcp 10.9.9.9:80");
  CHECK(tcp.flags == (service_flag::persistent | service_flag::sched1 | service_flag::sched2));
  CHECK(tcp.netmask == 0xffffff00);
  CHECK(tcp.timeout_s == 360);
  const auto udp = find("udp 10.9.9.9:5060");
  CHECK(udp.flags == (service_flag::persistent | service_flag::one_packet));
  CHECK(udp.persistence_engine == "sip");
  CHECK(find("sctp 10.9.9.9:3868").scheduler == "lc");
}

TEST_CASE("decode: case 38 (the family of the address) with ADDR_FAMILY after ADDR or absent") {
  const auto captured = fixture("mixed").destinations;
  const auto inet6 = nest(captured.at(1));
  const auto inet = nest(captured.at(0));
  const auto key = [](ByteView payload, Family service_family) {
    return string_from_destination_key(
        destination_from_attributes(payload, service_family).value().key);
  };
  CHECK(key(inet6, Family::inet) == "[2001:db8:1::11]:80");
  CHECK(key(inet, Family::inet) == "32.1.13.184:80");
  CHECK(key(moved_to_end(inet6, IPVS_DEST_ATTR_ADDR_FAMILY), Family::inet) ==
        "[2001:db8:1::11]:80");
  CHECK(key(without(inet6, IPVS_DEST_ATTR_ADDR_FAMILY), Family::inet6) == "[2001:db8:1::11]:80");
  CHECK(key(without(inet, IPVS_DEST_ATTR_ADDR_FAMILY), Family::inet) == "32.1.13.184:80");
}

TEST_CASE("decode: an IPv4 address may come as four bytes and its tail is never looked at") {
  const auto payload = nest(fixture("nat4").destinations.at(1));
  const auto four = bytes_from_hex("0a00000b");
  const auto garbage = bytes_from_hex("0a00000bffffffffffffffffffffffff");
  const auto expected = destination_from_attributes(payload, Family::inet).value().key;
  CHECK(destination_from_attributes(with(payload, IPVS_DEST_ATTR_ADDR, four), Family::inet)
            .value()
            .key == expected);
  CHECK(destination_from_attributes(with(payload, IPVS_DEST_ATTR_ADDR, garbage), Family::inet)
            .value()
            .key == expected);
}

TEST_CASE("decode: STATS64 is preferred and STATS alone suffices") {
  Destination sent{};
  sent.statistics.connections = std::numeric_limits<std::uint32_t>::max() + 5ULL;
  sent.statistics.in_bytes = std::numeric_limits<std::uint64_t>::max();
  sent.statistics.out_bytes_per_second = 7;
  const auto payload = attributes_from_destination(sent);

  const auto wide = destination_from_attributes(payload, Family::inet).value();
  CHECK(wide.statistics == sent.statistics);
  const auto narrow =
      destination_from_attributes(without(payload, IPVS_DEST_ATTR_STATS64), Family::inet).value();
  CHECK(narrow.statistics.connections == 4);  // cut to 32 bits by the kernel
  CHECK(narrow.statistics.in_bytes == sent.statistics.in_bytes);
  CHECK(narrow.statistics.out_bytes_per_second == 7);
  const auto neither = without(without(payload, IPVS_DEST_ATTR_STATS64), IPVS_DEST_ATTR_STATS);
  CHECK(problem(destination_from_attributes(neither, Family::inet)) ==
        "malformed destination: neither STATS64 nor STATS");
}

TEST_CASE("decode: padding between 64-bit statistics is skipped") {
  const auto payload = nest(fixture("nat4").destinations.at(1));
  auto statistics = bytes_from_hex("04000b00");  // IPVS_STATS_ATTR_PAD, as some machines need it
  append_integer(statistics, IPVS_STATS_ATTR_CONNS, std::uint64_t{235});
  for (std::uint16_t type = IPVS_STATS_ATTR_INPKTS; type <= IPVS_STATS_ATTR_OUTBPS; ++type) {
    append_integer(statistics, type, std::uint64_t{0});
  }
  const auto padded = with(payload, IPVS_DEST_ATTR_STATS64, statistics);
  const auto destination = destination_from_attributes(padded, Family::inet);
  REQUIRE(destination.has_value());
  CHECK(destination->statistics.connections == 235);
}

TEST_CASE("decode: the total of connections and the live numbers are never mixed") {
  Destination sent{};
  sent.active_connections = 2;
  sent.inactive_connections = 500;
  sent.persistent_connections = 1;
  sent.statistics.connections = 502;
  auto read = destination_from_attributes(attributes_from_destination(sent), Family::inet).value();
  read.raw.clear();
  CHECK(read == sent);
}

TEST_CASE("decode: unknown attributes are no error and stay in raw") {
  auto payload = nest(fixture("nat4").destinations.at(1));
  append_attribute(payload, 200, bytes_from_hex("c0ffee"));
  append_attribute(payload, 16, bytes_from_hex("0102030405060708"));
  const auto destination = destination_from_attributes(payload, Family::inet);
  REQUIRE(destination.has_value());
  CHECK(destination->weight == 50);
  CHECK(destination->raw == payload);

  auto service = nest(fixture("nat4").services.at(0));
  append_attribute(service, 31, bytes_from_hex("01"));
  append_attribute(service, 32, bytes_from_hex("01"));
  append_attribute(service, 0x3fff, {});
  CHECK(service_from_attributes(service) ==
        service_from_attributes(nest(fixture("nat4").services.at(0))));
}

TEST_CASE("decode: only the forwarding bits of the connection flags count") {
  const auto [flags, method] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{8, 0}, {0x102, 2}, {7, 7}, {0xffffffff, 7}}));
  auto payload = without(nest(fixture("nat4").destinations.at(1)), IPVS_DEST_ATTR_FWD_METHOD);
  append_integer(payload, IPVS_DEST_ATTR_FWD_METHOD, flags);
  const auto destination = destination_from_attributes(payload, Family::inet).value();
  CHECK(static_cast<std::uint32_t>(destination.forwarding) == method);
}

TEST_CASE("decode: a service with a mark ignores an address beside it") {
  auto payload = nest(fixture("nat4").services.at(0));
  append_integer(payload, IPVS_SVC_ATTR_FWMARK, std::uint32_t{7});
  CHECK(string_from_service_key(service_from_attributes(payload).value().key) == "fwm 7");
  payload = nest(fixture("nat4").services.at(0));
  append_integer(payload, IPVS_SVC_ATTR_FWMARK, std::uint32_t{0});
  CHECK(string_from_service_key(service_from_attributes(payload).value().key) == "tcp 10.9.9.9:80");
}

TEST_CASE("decode: a scheduler name without its terminating zero ends with the attribute") {
  const auto payload = with(nest(fixture("nat4").services.at(0)), IPVS_SVC_ATTR_SCHED_NAME,
                            bytes_from_hex("777263"));
  CHECK(service_from_attributes(payload).value().scheduler == "wrc");
}

TEST_CASE("decode: the kernel says its version and table size") {
  const auto info = kernel_info_from_message(fixture("nat4").info).value();
  CHECK(info == KernelInfo{.version = 0x010201, .connection_table_size = 4096});
}
