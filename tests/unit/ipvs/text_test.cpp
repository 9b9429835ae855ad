#include <string>

#include "ipvs/types.hpp"
#include "support/catch.hpp"

using namespace lvs::ipvs;

namespace {

IpAddress address(std::string_view text) {
  return ip_address_from_string(text).value();
}

}  // namespace

TEST_CASE("text: what is not an address is refused") {
  const auto text = GENERATE(as<std::string>{}, "", " ", "10.0.0", "10.0.0.256", "10.0.0.1 ",
                             " 10.0.0.1", "010.0.0.1", "0x0a000001", "10.0.0.1/32", "localhost",
                             "[::1]", "::1%lo", "fe80::1%eth0", ":::", "1::2::3",
                             "12345::", std::string("10.0.0.1\0x", 10), std::string(200, '1'));
  CAPTURE(text);
  CHECK_FALSE(ip_address_from_string(text).has_value());
}

TEST_CASE("text: an address is written as RFC 5952 wants it") {
  const auto [given, written] =
      GENERATE(table<std::string, std::string>({{"0.0.0.0", "0.0.0.0"},
                                                {"255.255.255.255", "255.255.255.255"},
                                                {"::", "::"},
                                                {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
                                                {"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"},
                                                {"2001:0:0:1:0:0:0:1", "2001:0:0:1::1"},
                                                {"::ffff:10.0.0.1", "::ffff:10.0.0.1"}}));
  CHECK(string_from_ip_address(address(given)) == written);
}

TEST_CASE("text: an IPv4 address sits in the first four bytes") {
  const auto parsed = address("10.9.8.7");
  CHECK(parsed.family == Family::inet);
  CHECK(parsed.bytes == std::array<std::uint8_t, 16>{10, 9, 8, 7});
  CHECK(address("::ffff:10.9.8.7").family == Family::inet6);
}

TEST_CASE("text: what names no service is refused") {
  const auto text = GENERATE(
      as<std::string>{}, "", "tcp", "tcp:", "tcp ", "tcp:10.9.9.9",
      "tcp:10.9.9.9:", "TCP:1.2.3.4:80", "tcp:10.9.9.9:65536", "tcp:10.9.9.9:-1",
      "tcp:10.9.9.9:+80", "tcp:10.9.9.9:080", "tcp:10.9.9.9:80 ", "tcp:10.9.9.9:http", "tcp::80",
      "tcp:fd00::9:80", "tcp:[fd00::9]", "tcp:[10.9.9.9]:80", "tcp:[fd00::9:80", "tcp:fd00::9]:80",
      "icmp:10.9.9.9:80", "17 10.9.9.9:80", "fwm", "fwm:", "fwm:0", "fwm:-1", "fwm:4294967296",
      "fwm:7x", "fwm:0x7", "fwm:07", "fwm6:0", "fwm4:7", "-t 10.9.9.9:80", "pool", "pool:", "pool ",
      "pool:-a", "pool:.a", "pool:a b", "pool:a/b", "pool:a:b", "pool:\xc3\xa4",
      "pool:" + std::string(32, 'a'), "pool:a" + std::string(1, '\0'), "pools:a");
  CAPTURE(text);
  CHECK_FALSE(service_key_from_string(text).has_value());
}

TEST_CASE("text: a service is read in both forms and written in one") {
  const auto [short_form, written] =
      GENERATE(table<std::string, std::string>({{"tcp:10.9.9.9:80", "tcp 10.9.9.9:80"},
                                                {"udp:[FD00::9]:53", "udp [fd00::9]:53"},
                                                {"sctp:10.9.9.9:65535", "sctp 10.9.9.9:65535"},
                                                {"tcp:10.9.9.9:0", "tcp 10.9.9.9:0"},
                                                {"fwm:7", "fwm 7"},
                                                {"fwm:4294967295", "fwm 4294967295"},
                                                {"fwm6:7", "fwm6 7"},
                                                {"pool:web", "pool web"},
                                                {"pool:9.A_z-", "pool 9.A_z-"}}));
  const auto key = service_key_from_string(short_form);
  REQUIRE(key.has_value());
  CHECK(string_from_service_key(*key) == written);
  CHECK(service_key_from_string(written) == key);
}

TEST_CASE("text: a service is its family and its address or mark") {
  CHECK(service_key_from_string("udp:[fd00::9]:53") == ServiceKey{.family = Family::inet6,
                                                                  .protocol = Protocol::udp,
                                                                  .address = address("fd00::9"),
                                                                  .port = 53});
  const auto mark = service_key_from_string("fwm:7").value();
  const auto mark6 = service_key_from_string("fwm6:7").value();
  CHECK(mark.is_fwmark());
  CHECK(mark.protocol == Protocol::none);
  CHECK(mark6.fwmark == mark.fwmark);
  CHECK(mark6.family == Family::inet6);
  CHECK(mark != mark6);
}

TEST_CASE("text: a pool is its name and nothing else") {
  const auto web = service_key_from_string("pool:web").value();
  CHECK(web.is_pool());
  CHECK_FALSE(web.is_fwmark());
  CHECK(web.pool.text() == "web");
  CHECK(web != service_key_from_string("pool:web2").value());
  CHECK(web != ServiceKey{});
  CHECK_FALSE(ServiceKey{}.is_pool());
  CHECK(PoolName{}.text().empty());
  const std::string longest(PoolName::longest, 'x');
  CHECK(PoolName::from_string(longest).value().text() == longest);
  CHECK(PoolName::from_string("a").value() < PoolName::from_string("aa").value());
}

TEST_CASE("text: a protocol without a name is written as its number") {
  const ServiceKey key{.protocol = static_cast<Protocol>(33), .address = address("10.9.9.9")};
  CHECK(string_from_service_key(key) == "33 10.9.9.9:0");
  CHECK(service_key_from_string("33 10.9.9.9:0") == key);
}

TEST_CASE("text: what is no destination is refused") {
  const auto text = GENERATE(as<std::string>{}, "", ":", "10.0.0.11", "10.0.0.11:", ":80",
                             "10.0.0.11:80:80", "[10.0.0.11]:80", "2001:db8::1:80", "[2001:db8::1]",
                             "[2001:db8::1]80", "[]:80", "web1:80", "10.0.0.11:99999");
  CAPTURE(text);
  CHECK_FALSE(destination_key_from_string(text).has_value());
}

TEST_CASE("text: a destination is written as it is read") {
  const auto text = GENERATE(as<std::string>{}, "10.0.0.11:80", "10.0.0.11:0", "[fd00::11]:65535",
                             "[::ffff:1.2.3.4]:1");
  const auto key = destination_key_from_string(text);
  REQUIRE(key.has_value());
  CHECK(string_from_destination_key(*key) == text);
}

TEST_CASE("text: forwarding methods have the words of ipvsadm") {
  const auto [method, word] = GENERATE(table<std::uint32_t, std::string>({{5, "(null)"},
                                                                          {7, "(null)"},
                                                                          {0, "Masq"},
                                                                          {1, "Local"},
                                                                          {2, "Tunnel"},
                                                                          {3, "Route"},
                                                                          {4, "Bypass"}}));
  CHECK(string_from_forwarding_method(static_cast<ForwardingMethod>(method)) == word);
}
