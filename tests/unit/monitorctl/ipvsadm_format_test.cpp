#include "monitorctl/ipvsadm_format.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "monitorctl/ipvsadm_order.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::ipvs::ForwardingMethod;
using lvs::monitorctl::testing::captured_table;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::service_key;
namespace flag = lvs::ipvs::service_flag;

namespace {

std::string listing(const ListingFormat& format) {
  auto table = captured_table();
  sort_as_ipvsadm(table);
  return version_line({0x010201, 4096}) + listing_text(table, format);
}

lvs::ipvs::Service service_of(std::string scheduler, std::uint32_t flags) {
  lvs::ipvs::Service service;
  service.key = service_key("tcp:10.9.9.9:80");
  service.scheduler = std::move(scheduler);
  service.flags = flags;
  service.netmask = 0xffffffff;
  return service;
}

}  // namespace

TEST_CASE("ipvsadm format: every listing equals what ipvsadm 1.31 printed") {
  CHECK(listing({}) == golden("ipvsadm/list.txt"));
  CHECK(listing({Listing::statistics, false}) == golden("ipvsadm/stats.txt"));
  CHECK(listing({Listing::statistics, true}) == golden("ipvsadm/stats-exact.txt"));
  CHECK(listing({Listing::rates, false}) == golden("ipvsadm/rate.txt"));
  CHECK(listing({Listing::thresholds, false}) == golden("ipvsadm/thresholds.txt"));
  CHECK(listing({Listing::persistent_connections, false}) == golden("ipvsadm/persistent-conn.txt"));
  CHECK(listing({Listing::tunnels, false}) == golden("ipvsadm/tun-info.txt"));
}

TEST_CASE("ipvsadm format: large counters are cut to a letter at ipvsadm's steps") {
  const auto [number, shortened, exact] = GENERATE(table<std::uint64_t, std::string, std::string>({
      {0, "        0", "        0"},
      {99'999'999, " 99999999", " 99999999"},
      {100'000'000, "  100000K", " 100000000"},
      {999'999'999, "  999999K", " 999999999"},
      {1'000'000'000, "    1000M", " 1000000000"},
      {99'999'999'999, "   99999M", " 99999999999"},
      {100'000'000'000, "     100G", " 100000000000"},
      {99'999'999'999'999, "   99999G", " 99999999999999"},
      {100'000'000'000'000, "     100T", " 100000000000000"},
      {std::numeric_limits<std::uint64_t>::max(), "18446744T", " 18446744073709551615"},
  }));
  CHECK(number_column(number, false) == shortened);
  CHECK(number_column(number, true) == exact);
}

TEST_CASE("ipvsadm format: packet rates of a destination are never cut") {
  lvs::ipvs::ServiceEntry entry{service_of("rr", 0), {{}}};
  entry.service.statistics.in_packets_per_second = 123'456'789;
  entry.destinations[0].key = {lvs::ipvs::ip_address_from_string("10.0.0.11").value(), 80};
  entry.destinations[0].statistics.in_packets_per_second = 123'456'789;
  const auto text = listing_text({&entry, 1}, {Listing::rates, false});
  CHECK(text.find("TCP  10.9.9.9:80                         0  123456K        0") !=
        std::string::npos);
  CHECK(text.find("  -> 10.0.0.11:80                        0 123456789        0") !=
        std::string::npos);
}

TEST_CASE("ipvsadm format: flags of a service stand where ipvsadm has them") {
  const auto [scheduler, flags, expected] =
      GENERATE(table<std::string, std::uint32_t, std::string>({
          {"rr", 0, "TCP  10.9.9.9:80 rr"},
          {"rr", flag::one_packet, "TCP  10.9.9.9:80 rr ops"},
          {"sh", flag::sched1, "TCP  10.9.9.9:80 sh (sh-fallback)"},
          {"sh", flag::sched2, "TCP  10.9.9.9:80 sh (sh-port)"},
          {"sh", flag::sched3, "TCP  10.9.9.9:80 sh ()"},
          {"mh", flag::sched1 | flag::sched2, "TCP  10.9.9.9:80 mh (mh-fallback,mh-port)"},
          {"wlc", flag::sched1 | flag::sched3, "TCP  10.9.9.9:80 wlc (flag-1,flag-3)"},
          {"wlc", flag::sched2, "TCP  10.9.9.9:80 wlc (flag-2)"},
          {"wlc", flag::persistent, "TCP  10.9.9.9:80 wlc persistent 0"},
      }));
  CHECK(service_heading(service_of(scheduler, flags)) == expected);
}

TEST_CASE("ipvsadm format: persistence shows the mask only where it is not the whole address") {
  auto service = service_of("wlc", flag::persistent | flag::one_packet);
  service.timeout_s = 50;
  CHECK(persistence_text(service) == "persistent 50");
  service.netmask = 0xfffe0000;
  service.persistence_engine = "sip";
  CHECK(service_heading(service) ==
        "TCP  10.9.9.9:80 wlc persistent 50 mask 255.254.0.0 pe sip ops");
  service.key = service_key("udp:[fd00::9]:53");
  service.netmask = 128;
  CHECK(persistence_text(service) == "persistent 50 pe sip");
  service.netmask = 64;
  CHECK(service_heading(service) == "UDP  [fd00::9]:53 wlc persistent 50 mask 64 pe sip ops");
}

TEST_CASE("ipvsadm format: services are named by protocol or mark") {
  const auto [key, expected] = GENERATE(table<std::string, std::string>({
      {"sctp:10.9.9.9:5060", "SCTP 10.9.9.9:5060"},
      {"udp:[fd00::9]:53", "UDP  [fd00::9]:53"},
      {"fwm:7", "FWM  7"},
      {"fwm6:7", "FWM  7 IPv6"},
      {"fwm:4294967295", "FWM  -1"},
  }));
  CHECK(service_name(service_key(key)) == expected);
}

TEST_CASE("ipvsadm format: what has no name there is what printf makes of it") {
  lvs::ipvs::ServiceEntry entry{service_of("rr", 0), {{}}};
  entry.service.key.protocol = static_cast<lvs::ipvs::Protocol>(33);
  entry.destinations[0].key = {lvs::ipvs::ip_address_from_string("10.0.0.11").value(), 80};
  entry.destinations[0].forwarding = ForwardingMethod::bypass;
  const auto text = listing_text({&entry, 1}, {});
  CHECK(text.find("\n?    10.9.9.9:80 rr\n") != std::string::npos);
  CHECK(text.find("  -> 10.0.0.11:80                 (null)  0      0") != std::string::npos);
}

TEST_CASE("ipvsadm format: tunnels have their names") {
  using lvs::ipvs::Tunnel;
  using lvs::ipvs::TunnelType;
  const auto [tunnel, expected] = GENERATE(table<Tunnel, std::string>({
      {Tunnel{TunnelType::ipip, 0, 0}, "ipip"},
      {Tunnel{TunnelType::gue, 65535, 0}, "gue:65535:-c"},
      {Tunnel{TunnelType::gue, 5555, 2}, "gue:5555:r+c"},
      {Tunnel{TunnelType::gue, 5555, 3}, "gue:5555:?"},
      {Tunnel{TunnelType::gre, 0, 1}, "gre:+c"},
      {Tunnel{static_cast<TunnelType>(9), 0, 0}, "n/a"},
  }));
  lvs::ipvs::Destination destination;
  destination.tunnel = tunnel;
  CHECK(tunnel_name(destination) == "n/a");  // masquerading: the stored tunnel is not used
  destination.forwarding = ForwardingMethod::tunnel;
  CHECK(tunnel_name(destination) == expected);
}
