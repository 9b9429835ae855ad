#include "support.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace lvs::monitorctl::testing {
namespace {

ipvs::Destination destination(std::string_view key, ipvs::ForwardingMethod method,
                              std::uint32_t weight) {
  ipvs::Destination made;
  made.key = destination_key(key);
  made.forwarding = method;
  made.weight = weight;
  return made;
}

ipvs::Service service(std::string_view key, std::string scheduler) {
  ipvs::Service made;
  made.key = service_key(key);
  made.scheduler = std::move(scheduler);
  made.netmask = made.key.family == ipvs::Family::inet ? 0xffffffff : 128;
  return made;
}

}  // namespace

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string golden(const std::string& name) {
  return text_of(std::string(LVS_SOURCE_DIR) + "/tests/golden/" + name);
}

ipvs::ServiceKey service_key(std::string_view text) {
  return ipvs::service_key_from_string(text).value();
}

ipvs::DestinationKey destination_key(std::string_view text) {
  return ipvs::destination_key_from_string(text).value();
}

std::vector<ipvs::ServiceEntry> captured_table() {
  using enum ipvs::ForwardingMethod;
  namespace flag = ipvs::service_flag;
  auto web = service("tcp:10.9.9.9:80", "wrr");
  web.flags = flag::persistent;
  web.timeout_s = 360;
  web.netmask = 0xffffff00;
  auto limited = destination("10.0.0.11:80", masquerade, 100);
  limited.upper_threshold = 1000;
  limited.lower_threshold = 800;
  auto names = service("udp:10.9.9.9:53", "sh");
  names.flags = flag::sched1 | flag::sched2 | flag::one_packet;
  auto gue = destination("10.0.0.11:0", tunnel, 3);
  gue.tunnel = {ipvs::TunnelType::gue, 5555, 1};
  return {
      {service("fwm:7", "mh"), {gue}},
      {service("tcp:[fd00::9]:443", "wlc"),
       {destination("[2001:db8:1111:2222:3333:4444:5555:6666]:443", masquerade, 10),
        destination("[fd00::11]:443", tunnel, 10)}},
      {names, {destination("10.0.0.11:53", direct_route, 2147483647)}},
      {web,
       {destination("127.0.0.1:80", masquerade, 5), destination("10.0.0.12:8080", masquerade, 0),
        limited}},
  };
}

KernelView captured_view() {
  return {.info = {0x010201, 4096}, .complete = true, .services = captured_table(), .note = {}};
}

Status some_status() {
  DestinationStatus good;
  good.destination = "10.0.0.11:80";
  good.server = "web1";
  good.forwarding = "Masq";
  good.base = 100;
  good.current = 100;
  good.target = 88;
  good.write = 88;
  good.boundary = 5;
  good.reading = "fresh";
  good.age_s = 0.84;
  good.cpu_busy = 0.75;
  good.mem_available = 0.5;
  good.composite = 0.35;
  good.input = 1.25;
  good.new_connections = 240;
  good.completed = 199.5;
  good.active = 7;
  good.inactive = 90;
  good.capacity = 133.5;
  good.correction = 0.875;
  good.further.network_utilisation = 0.125;
  good.further.processes = 214;
  good.further.io_pressure = 0.025;
  good.further.response_s = 0.0012;
  good.strategy = "capacity";
  good.ratio_exponent = 1;
  good.score = 0.25;
  good.terms = {{"CPU", 0.5, 0.5}};
  good.wish = 100;
  good.eased = 88;
  good.scaled = 88.25;
  good.note = "backlog: cut";
  good.outcome = "change";
  good.reason = "target 88 is 12 from 100, more than 5";
  DestinationStatus silent;
  silent.destination = "10.0.0.12:8080";
  silent.base = 0;  // never seen above weight 0
  silent.current = 0;
  silent.reading = "silent";
  silent.input = 1;
  silent.outcome = "drained";
  silent.reason = "weight 0, hands off";
  Status status;
  status.version = "0.1.0";
  status.cycle = 4711;
  status.wall_time = 1700000000.5;
  status.interval_s = 2;
  status.dry_run = true;
  status.polls = {{"sent", 12}, {"answered", 10}, {"timeouts", 2}};
  status.probes = {{"sent", 8}, {"answered", 7}, {"timeouts", 1}};
  status.writes = 3;
  status.suppressed = 40;
  status.failed_writes = 2;
  status.foreign_edits = 1;
  status.notes = {"1 agent is silent"};
  status.services = {{"tcp 10.9.9.9:80", "wrr", {good, silent}}};
  status.applied = {{"tcp 10.9.9.9:80", "10.0.0.11:80", "dry_run", "", 100, 88}};
  return status;
}

}  // namespace lvs::monitorctl::testing
