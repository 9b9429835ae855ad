#include "monitorctl/saved_table.hpp"

#include <rapidcheck.h>

#include <filesystem>
#include <limits>
#include <string>
#include <tuple>

#include "monitorctl/ipvsadm_order.hpp"
#include "monitorctl/save_text.hpp"
#include "monitorctl/saved_parser.hpp"
#include "monitorctl/table_difference.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace lvs::monitorctl;
using lvs::ipvs::Destination;
using lvs::ipvs::ForwardingMethod;
using lvs::ipvs::Service;
using lvs::ipvs::ServiceEntry;
using lvs::ipvs::Tunnel;
using lvs::ipvs::TunnelType;
using lvs::monitorctl::testing::captured_table;
using lvs::monitorctl::testing::captured_view;
using lvs::monitorctl::testing::destination_key;
using lvs::monitorctl::testing::golden;
using lvs::monitorctl::testing::service_key;
using lvs::monitorctl::testing::text_of;
namespace flag = lvs::ipvs::service_flag;

namespace {

std::vector<ServiceEntry> sorted_table() {
  auto table = captured_table();
  sort_as_ipvsadm(table);
  return table;
}

ServiceEntry entry_of(std::string_view service, std::string_view destination) {
  ServiceEntry entry;
  entry.service.key = service_key(service);
  entry.service.scheduler = "wrr";
  entry.service.netmask = entry.service.key.family == lvs::ipvs::Family::inet ? 0xffffffff : 128;
  Destination made;
  made.key = destination_key(destination);
  made.weight = 7;
  entry.destinations.push_back(made);
  return entry;
}

std::string saved(const ServiceEntry& entry) {
  return saved_text({&entry, 1});
}

template <typename... Words>
std::string one_of(const Words&... words) {
  return *rc::gen::element<std::string>(words...);
}

/// Mostly nothing, so that many lines are ones that ipvsadm takes.
template <typename... Words>
std::string maybe(const Words&... words) {
  return *rc::gen::inRange(0, 4) == 0 ? one_of(words...) : "";
}

/// A service and a destination with options in any combination.
std::string any_lines() {
  const auto service = one_of("-t 10.9.9.9:80", "-u 10.9.9.9:53", "--sctp-service 10.9.9.9:0",
                              "-t [fd00::9]:443", "-f 7", "-f 7 -6", "-f -1");
  auto text = "-A " + service + one_of("", " -s sh", " -s mh", " -s wrr") +
              one_of("", " -p", " -p 2678400") + maybe(" -M 255.255.0.0", " -M 64") + maybe(" -o") +
              maybe(" --pe sip") +
              maybe(" -b sh-port", " -b mh-fallback,flag-2", " -b flag-1,flag-3") + "\n";
  return text + "-a " + service + " -r " + one_of("10.0.0.11", "10.0.0.11:8080", "[fd00::11]:443") +
         one_of("", " -g", " -i", " -i", " -m") + maybe(" -w 0", " -w 2147483647") +
         maybe(" -x 9", " -x 9 -y 9", " -y 1") +
         maybe(" --tun-type ipip", " --tun-type gre --tun-csum", " --tun-csum",
               " --tun-type gue --tun-port 5555", " --tun-type gue --tun-port 1 --tun-remcsum") +
         "\n";
}

/// Of the one thing that is lost.
Loss loss_of(const ServiceEntry& entry) {
  const auto losses = losses_of({&entry, 1});
  REQUIRE(losses.size() == 1);
  return losses.front();
}

std::vector<ServiceEntry> parsed(const std::string& text) {
  auto table = table_from_saved(text, "test");
  INFO((table ? "" : table.error()));
  REQUIRE(table.has_value());
  return *std::move(table);
}

}  // namespace

TEST_CASE("save: without thresholds the lines are those of ipvsadm -Sn") {
  auto table = sorted_table();
  for (auto& entry : table) {
    for (auto& destination : entry.destinations)
      destination.upper_threshold = destination.lower_threshold = 0;
  }
  CHECK(saved_text(table) == golden("ipvsadm/save.txt"));
}

TEST_CASE("save: thresholds stand behind them, as ipvsadm -a takes them") {
  const auto text = saved_text(sorted_table());
  CHECK(text == golden("ipvsadm/save-thresholds.txt"));
  CHECK(losses_of(sorted_table()).empty());
}

TEST_CASE("save: options of a service stand in ipvsadm's order") {
  auto entry = entry_of("udp:[fd00::9]:53", "[fd00::11]:53");
  entry.destinations.clear();
  entry.service.scheduler = "mh";
  entry.service.flags = flag::persistent | flag::one_packet | flag::sched1 | flag::sched3;
  entry.service.timeout_s = 60;
  entry.service.netmask = 64;
  entry.service.persistence_engine = "sip";
  CHECK(saved(entry) == "-A -u [fd00::9]:53 -s mh -p 60 -M 64 --pe sip -o -b mh-fallback,flag-3\n");
  entry.service.flags = flag::sched3;
  entry.service.persistence_engine = "";
  CHECK(saved(entry) == "-A -u [fd00::9]:53 -s mh -b flag-3\n");
}

TEST_CASE("save: services are named as ipvsadm -R takes them") {
  const auto [service, destination, expected] =
      GENERATE(table<std::string, std::string, std::string>({
          {"sctp:10.9.9.9:5060", "10.0.0.11:5060", "-A --sctp-service 10.9.9.9:5060 -s wrr\n"},
          {"fwm6:7", "[fd00::11]:0", "-A -f 7 -6 -s wrr\n"},
          // ipvsadm -S prints -f -1, which ipvsadm -R refuses.
          {"fwm:4294967295", "10.0.0.11:0", "-A -f 4294967295 -s wrr\n"},
      }));
  CHECK(saved(entry_of(service, destination)).starts_with(expected));
}

TEST_CASE("save: tunnels keep their options") {
  const auto [tunnel, expected] = GENERATE(table<Tunnel, std::string>({
      {Tunnel{TunnelType::ipip, 0, 0}, "-i -w 7 --tun-type ipip\n"},
      {Tunnel{TunnelType::gue, 5555, 0}, "-i -w 7 --tun-type gue --tun-port 5555 --tun-nocsum\n"},
      {Tunnel{TunnelType::gue, 65535, 2},
       "-i -w 7 --tun-type gue --tun-port 65535 --tun-remcsum\n"},
      {Tunnel{TunnelType::gre, 0, 1}, "-i -w 7 --tun-type gre --tun-csum\n"},
  }));
  auto entry = entry_of("tcp:10.9.9.9:80", "10.0.0.11:80");
  entry.destinations[0].forwarding = ForwardingMethod::tunnel;
  entry.destinations[0].tunnel = tunnel;
  CHECK(saved(entry).ends_with(expected));
  CHECK(differences({&entry, 1}, parsed(saved(entry)), Weights::compared).empty());
}

TEST_CASE("save: what ipvsadm -R would stop at is left out and told") {
  auto entry = entry_of("tcp:10.9.9.9:80", "10.0.0.11:80");
  auto& destination = entry.destinations[0];
  SECTION("a forwarding method that ipvsadm cannot set") {
    destination.forwarding = ForwardingMethod::bypass;
    CHECK(loss_of(entry).text ==
          "tcp 10.9.9.9:80 10.0.0.11:80 is left out: ipvsadm cannot set its forwarding method, "
          "Bypass");
  }
  SECTION("one without a name") {
    destination.forwarding = static_cast<ForwardingMethod>(7);
    CHECK(loss_of(entry).text.ends_with("number 7"));
  }
  SECTION("a tunnel of a later kernel") {
    destination.forwarding = ForwardingMethod::tunnel;
    destination.tunnel.type = static_cast<TunnelType>(9);
    CHECK(loss_of(entry).text.ends_with("ipvsadm does not know its kind of tunnel"));
  }
  SECTION("a threshold above what ipvsadm counts to") {
    destination.upper_threshold = 0x80000000;
    CHECK(loss_of(entry).text.ends_with("its upper threshold is above 2147483647"));
  }
  CHECK(loss_of(entry).left_out);
  CHECK(saved(entry) == "-A -t 10.9.9.9:80 -s wrr\n");
  CHECK(printed_save({.services = {entry}}).status == exit_status::failure);
  CHECK(printed_save({.services = {entry}}).err.starts_with("monitorctl: tcp 10.9.9.9:80 10.0."));
}

TEST_CASE("save: a service that ipvsadm cannot make is left out with its destinations") {
  auto entry = entry_of("tcp:10.9.9.9:80", "10.0.0.11:80");
  SECTION("without a scheduler") {
    entry.service.scheduler = "none";
  }
  SECTION("of another protocol") {
    entry.service.key.protocol = static_cast<lvs::ipvs::Protocol>(33);
  }
  SECTION("of all ports, without persistence") {
    entry.service.key.port = 0;
  }
  SECTION("one-packet without UDP") {
    entry.service.flags = flag::one_packet;
  }
  CHECK(saved(entry).empty());
  CHECK(loss_of(entry).left_out);
}

TEST_CASE("save: what comes back as another one is told and saved") {
  auto entry = entry_of("tcp:10.9.9.9:80", "10.0.0.11:8080");
  SECTION("direct routing to another port") {
    entry.destinations[0].forwarding = ForwardingMethod::direct_route;
    CHECK(loss_of(entry).text.find("comes back with port 80") != std::string::npos);
  }
  SECTION("a local node") {
    entry.destinations[0].forwarding = ForwardingMethod::local_node;
    entry.destinations[0].key.port = 80;
    CHECK(loss_of(entry).text.find("comes back as Route") != std::string::npos);
  }
  SECTION("a persistence of no time") {
    entry.service.flags = flag::persistent;
    CHECK(loss_of(entry).text.find("timeout of 1 s instead of 0") != std::string::npos);
    CHECK(saved(entry).starts_with("-A -t 10.9.9.9:80 -s wrr -p 1\n"));
  }
  CHECK_FALSE(loss_of(entry).left_out);
  CHECK(printed_save({.services = {entry}}).status == exit_status::ok);
  CHECK_FALSE(table_from_saved(saved(entry), "test")->empty());
}

TEST_CASE("save: a table without thresholds is not saved as if it had none") {
  auto view = captured_view();
  view.complete = false;
  const auto printed = printed_save(view);
  CHECK(printed.status == exit_status::failure);
  CHECK(printed.out.empty());
  CHECK(printed.err.find("CAP_NET_ADMIN") != std::string::npos);
}

TEST_CASE("saved parser: every problem is told with line, column and what is wrong") {
  const auto folder = std::filesystem::path(LVS_SOURCE_DIR) / "tests/golden/saved";
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".saved") continue;
    const auto name = file.path().stem().string();
    INFO(name);
    const auto table = table_from_saved(text_of(file.path()), name + ".saved");
    const auto expected = text_of(folder / (name + ".txt"));
    CHECK((table ? saved_text(*table) : table.error()) == expected);
    ++count;
  }
  CHECK(count >= 8);
}

TEST_CASE("saved parser: what save prints comes back as the table that it was") {
  const auto table = sorted_table();
  const auto again = parsed(saved_text(table));
  CHECK(differences(table, again, Weights::compared).empty());
  CHECK(saved_text(again) == saved_text(table));
}

TEST_CASE("saved parser: what is not said is what ipvsadm makes of it") {
  const auto table = parsed(
      "ipvsadm -A -t 10.9.9.9:80\n"
      "\n"
      "  --add-server --tcp-service 10.9.9.9:80 -r 10.0.0.11\t\n"
      "-A -u 10.9.9.9 -p -o\r\n"
      "-a -u 10.9.9.9 -r 10.0.0.12:53 -m\n"
      "-a -u 10.9.9.9 -r 10.0.0.13:53 -i");
  REQUIRE(table.size() == 2);
  const auto& web = table[0];
  CHECK(web.service.scheduler == "wlc");
  REQUIRE(web.destinations.size() == 1);
  CHECK(web.destinations[0].key == destination_key("10.0.0.11:80"));
  CHECK(web.destinations[0].weight == 1);
  CHECK(web.destinations[0].forwarding == ForwardingMethod::direct_route);
  const auto& names = table[1];
  CHECK(names.service.key == service_key("udp:10.9.9.9:0"));
  CHECK(names.service.timeout_s == 300);
  CHECK(names.service.flags == (flag::persistent | flag::one_packet));
  REQUIRE(names.destinations.size() == 2);
  CHECK(names.destinations[0].key.port == 53);
  CHECK(names.destinations[1].key.port == 0);  // a tunnel keeps the service's port
}

TEST_CASE("saved parser: marks from 2^31 on are read as ipvsadm prints them") {
  const auto table = parsed("-A -f -1 -s wrr\n-a -f 4294967295 -r 10.0.0.11:0 -g\n");
  REQUIRE(table.size() == 1);
  CHECK(table[0].service.key == service_key("fwm:4294967295"));
  CHECK(table[0].destinations.size() == 1);
}

TEST_CASE("saved parser: a pool of both address families is one of tunnels") {
  const auto table =
      parsed("-A -f 7 -6\n-a -f 7 -6 -r 10.0.0.11:0 -i\n-a -f 7 -6 -r [fd00::11]:0 -m\n");
  CHECK(table[0].destinations.size() == 2);
  CHECK_FALSE(table_from_saved("-A -f 7 -6\n-a -f 7 -6 -r 10.0.0.11:0 -m\n", "test").has_value());
}

TEST_CASE("saved parser: whatever is taken comes back from what it is saved as") {
  REQUIRE(rc::check("lines in any combination", [] {
    const auto table = table_from_saved(any_lines(), "test");
    RC_CLASSIFY(table.has_value(), "taken");
    if (!table) {
      RC_ASSERT(table.error().starts_with("test:"));
      return;
    }
    RC_ASSERT(losses_of(*table).empty());
    const auto again = table_from_saved(saved_text(*table), "again");
    RC_ASSERT(again.has_value());
    RC_ASSERT(differences(*table, *again, Weights::compared).empty());
  }));
}
