#include "monitorctl/ipvsadm_command.hpp"

#include <functional>
#include <string>
#include <tuple>

#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::ipvs::Destination;
using lvs::ipvs::ForwardingMethod;
using lvs::ipvs::Service;
using lvs::ipvs::TunnelType;
using lvs::monitorctl::testing::destination_key;
using lvs::monitorctl::testing::service_key;

namespace flag = lvs::ipvs::service_flag;

TEST_CASE("ipvsadm command: an edit of a service names all that it is") {
  using Change = std::function<void(Service&)>;
  const auto [key, change, expected] = GENERATE(table<std::string, Change, std::string>({
      {"tcp:10.9.9.9:80", [](Service&) {}, "ipvsadm -E -t 10.9.9.9:80 -s wlc"},
      {"udp:[fd00::9]:53", [](Service& s) { s.flags = flag::one_packet; },
       "ipvsadm -E -u [fd00::9]:53 -s wlc -o"},
      {"sctp:10.9.9.9:9", [](Service&) {}, "ipvsadm -E --sctp-service 10.9.9.9:9 -s wlc"},
      {"fwm:7", [](Service&) {}, "ipvsadm -E -f 7 -s wlc"},
      {"fwm6:7", [](Service&) {}, "ipvsadm -E -f 7 -6 -s wlc"},
      {"tcp:10.9.9.9:80",
       [](Service& s) {
         s.flags = flag::persistent;
         s.timeout_s = 360;
         s.netmask = 0xffffff00;
         s.persistence_engine = "sip";
       },
       "ipvsadm -E -t 10.9.9.9:80 -s wlc -p 360 -M 255.255.255.0 --pe sip"},
      {"tcp:[fd00::9]:80",
       [](Service& s) {
         s.flags = flag::persistent;
         s.timeout_s = 60;
         s.netmask = 64;
       },
       "ipvsadm -E -t [fd00::9]:80 -s wlc -p 60 -M 64"},
      {"tcp:10.9.9.9:80",
       [](Service& s) {
         s.scheduler = "mh";
         s.flags = flag::sched1 | flag::sched2;
       },
       "ipvsadm -E -t 10.9.9.9:80 -s mh -b mh-fallback,mh-port"},
      {"tcp:10.9.9.9:80", [](Service& s) { s.flags = flag::sched1; },
       "ipvsadm -E -t 10.9.9.9:80 -s wlc"},
  }));
  Service service;
  service.key = service_key(key);
  service.scheduler = "wlc";
  service.netmask = service.key.family == lvs::ipvs::Family::inet ? 0xffffffff : 128;
  change(service);
  CHECK(edit_service_command(service) == expected);
}

TEST_CASE("ipvsadm command: an edit of a weight keeps forwarding, thresholds and tunnel") {
  using Change = std::function<void(Destination&)>;
  const auto [change, expected] = GENERATE(table<Change, std::string>({
      {[](Destination&) {}, "-m -w 2"},
      {[](Destination& d) { d.forwarding = ForwardingMethod::direct_route; }, "-g -w 2"},
      {[](Destination& d) { d.forwarding = ForwardingMethod::local_node; }, "-m -w 2"},
      {[](Destination& d) { d.forwarding = ForwardingMethod::tunnel; }, "-i -w 2"},
      {[](Destination& d) {
         d.forwarding = ForwardingMethod::tunnel;
         d.tunnel = {TunnelType::gue, 5555, 1};
       },
       "-i --tun-type gue --tun-port 5555 --tun-csum -w 2"},
      {[](Destination& d) {
         d.forwarding = ForwardingMethod::tunnel;
         d.tunnel = {TunnelType::gre, 0, 2};
       },
       "-i --tun-type gre --tun-remcsum -w 2"},
      {[](Destination& d) {
         d.upper_threshold = 1000;
         d.lower_threshold = 800;
       },
       "-m -w 2 -x 1000 -y 800"},
  }));
  Destination destination;
  destination.key = destination_key("10.0.0.11:80");
  destination.weight = 2;
  change(destination);
  CHECK(edit_destination_command(service_key("tcp:10.9.9.9:80"), destination) ==
        "ipvsadm -e -t 10.9.9.9:80 -r 10.0.0.11:80 " + expected);
}
