// The whole loop on a real kernel: real agents, the real monitord, a real IPVS table. The agents'
// /proc trees are the test's (machines.hpp), so that it decides what each server's load is.

#include <chrono>
#include <string>
#include <thread>

#include "kernel/director.hpp"
#include "kernel/guest.hpp"
#include "kernel/machines.hpp"
#include "kernel/process.hpp"
#include "kernel/settings.hpp"
#include "support/catch.hpp"

using namespace std::chrono_literals;
using namespace lvs::guest;

namespace {

std::string settings() {
  lvs::guest::Settings settings;
  settings.hold_polls = "12";
  settings.servers =
      lvs::guest::agents_on_loopback(3) + lvs::guest::agents_on_loopback(3, "fd02::1");
  return lvs::guest::settings_text(settings);
}

/// A service with the three servers; the first one at `first`, the others at 10.
std::string service_rules(const std::string& service, const std::string& scheduler,
                          const std::string& prefix, const std::string& suffix, int first) {
  auto rules = "-A " + service + " -s " + scheduler + "\n";
  for (int i = 1; i <= 3; ++i) {
    rules += "-a " + service + " -r " + prefix + std::to_string(10 + i) + suffix + " -m -w " +
             std::to_string(i == 1 ? first : 10) + "\n";
  }
  return rules;
}

void one_service() {
  ipvsadm_restore(service_rules("-t 10.9.9.9:80", "wlc", "10.2.0.", ":80", 10));
}

/// Two schedulers, an address of each family, and fwmark services of each family.
void four_services(int first) {
  ipvsadm_restore(service_rules("-t 10.9.9.9:80", "wrr", "10.2.0.", ":80", first) +
                  service_rules("-t [fd09::9]:80", "wlc", "[fd02::", "]:80", first) +
                  service_rules("-f 7", "wlc", "10.2.0.", ":0", first) +
                  service_rules("-f 7 -6", "wrr", "[fd02::", "]:0", first));
}

Process start_monitord() {
  return lvs::guest::start_monitord(settings());
}

}  // namespace

TEST_CASE("loop: weights follow the servers' load") {
  one_service();
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  auto const monitord = start_monitord();
  machines[0].busy_percent = 90;
  CHECK(within(20s, [] { return weight("10.2.0.11:80") < 6; }));
  CHECK(weight("10.2.0.12:80") > weight("10.2.0.11:80"));
  machines[0].busy_percent = 5;
  CHECK(within(20s, [] { return weight("10.2.0.11:80") > 7; }));
  CHECK(outcome("10.2.0.11:80") != "");
  INFO(monitord_log());
  CHECK(monitord_log().find("10.2.0.11:80") != std::string::npos);
}

TEST_CASE("loop: a destination at 0 is never written whatever its server's load does") {
  four_services(0);
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  auto const monitord = start_monitord();
  REQUIRE(within(20s, [] { return number("cycle") > 0; }));
  std::uint64_t last = 0;
  for (int step = 0; last < 32 && step < 200; ++step) {
    machines[0].busy_percent = 10 + step * 37 % 85;
    machines[1].busy_percent = 10 + step * 17 % 85;
    std::this_thread::sleep_for(150ms);
    for (auto const& [name, value] : weights()) {
      if (name.find(".11:") != std::string::npos || name.find("::11]") != std::string::npos) {
        CAPTURE(name);
        REQUIRE(value == 0);
      }
    }
    last = number("cycle");
  }
  CHECK(last >= 32);
  CHECK(number("writes") > 2);  // to the others
  CHECK(outcome("10.2.0.11:80") == "drained");
}

TEST_CASE("loop: constant load causes no write once settled") {
  four_services(10);
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  machines[0].busy_percent = 60;
  machines[1].busy_percent = 20;
  auto const monitord = start_monitord();
  REQUIRE(within(20s, [] { return number("writes") > 0; }));
  REQUIRE(cycles_pass(10));
  auto const settled = number("writes");
  auto const before = weights();
  REQUIRE(cycles_pass(15));
  CHECK(number("writes") == settled);
  CHECK(weights() == before);
}

TEST_CASE("loop: a killed agent is held and then goes back to its base") {
  one_service();
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  machines[0].busy_percent = 90;
  auto const monitord = start_monitord();
  REQUIRE(within(20s, [] { return weight("10.2.0.11:80") < 6; }));
  REQUIRE(cycles_pass(6));
  auto const low = weight("10.2.0.11:80");
  machines.kill_agent(0);
  std::uint64_t held_at = 0;  // as told by the same cycle that says it is held
  CHECK(within(20s, [&] {
    auto const item = destination("10.2.0.11:80");
    if (item.empty() || item.at("outcome").as_string() != "silent_hold") return false;
    held_at = item.at("current").to_number<std::uint64_t>();
    return true;
  }));
  CHECK(held_at == low);
  CHECK(within(20s, [] { return weight("10.2.0.11:80") == 10; }));
  machines[1].busy_percent = 90;  // the others are steered all the same
  CHECK(within(20s, [] { return weight("10.2.0.12:80") < 6; }));
  machines.restart_agent(0);
  CHECK(within(20s, [] { return weight("10.2.0.11:80") < 6; }));
}

TEST_CASE("loop: with two of three agents killed the pool is frozen") {
  one_service();
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  auto const monitord = start_monitord();
  REQUIRE(within(20s, [] { return is_fresh("10.2.0.13:80"); }));
  machines.kill_agent(0);
  machines.kill_agent(1);
  REQUIRE(within(20s, [] { return outcome("10.2.0.13:80") == "frozen"; }));
  auto const before = weights();
  machines[2].busy_percent = 95;
  REQUIRE(cycles_pass(12));
  CHECK(weights() == before);
  CHECK(outcome("10.2.0.11:80") == "frozen");
}

TEST_CASE("loop: bases survive kill -9 of monitord at any moment") {
  one_service();
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  for (int round = 0; round < 6; ++round) {
    machines[round % 3].busy_percent = 90;
    machines[(round + 1) % 3].busy_percent = 10;
    auto monitord = start_monitord();
    REQUIRE(within(20s, [] { return number("writes") > 0; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(70 * round));
    auto const before = weights();
    CHECK(monitord.end(SIGKILL) == 128 + SIGKILL);
    CHECK(before.size() == 3);
  }
  auto const left = weights();
  std::this_thread::sleep_for(1s);
  CHECK(weights() == left);  // nobody writes while monitord is dead
  auto const monitord = start_monitord();
  REQUIRE(within(20s, [] { return number("cycle") > 2; }));
  for (auto const* server : {"10.2.0.11:80", "10.2.0.12:80", "10.2.0.13:80"}) {
    CAPTURE(server, monitord_log());
    CHECK(base(server) == 10);
  }
  CHECK(number("foreign_edits") == 0);
}

TEST_CASE("loop: an agent with another key is not believed and the others are") {
  one_service();
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  must(LVS_MONITORCTL " keygen --output /run/other.yaml && " LVS_MONITORCTL
                      " keygen --agent rs1 --keys /run/other.yaml --output /run/wrong.keys");
  machines.configure(0, "/run/wrong.keys");
  machines.kill_agent(0);
  machines.restart_agent(0);
  machines[0].busy_percent = 90;
  machines[1].busy_percent = 90;
  auto const monitord = start_monitord();
  REQUIRE(within(20s, [] { return weight("10.2.0.12:80") < 6; }));
  CHECK(weight("10.2.0.11:80") == 10);
  CHECK(field("10.2.0.11:80", "cpu_busy").is_null());
  CHECK(within(10s, [] { return poll_count("timeouts") > 0; }));
}

TEST_CASE("loop: a foreign zero is left and a foreign weight is adopted") {
  one_service();
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  auto const monitord = start_monitord();
  REQUIRE(within(20s, [] { return is_fresh("10.2.0.11:80"); }));
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 0");
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 40");
  REQUIRE(cycles_pass(12));
  CHECK(weight("10.2.0.11:80") == 0);
  CHECK(outcome("10.2.0.11:80") == "drained");
  CHECK(base("10.2.0.12:80") == 40);
  CHECK(number("foreign_edits") > 0);
}

TEST_CASE("loop: the table is found again after a reload of ip_vs: case 43") {
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  auto const monitord = start_monitord();
  REQUIRE(within(20s, [] { return number("cycle") > 1; }));
  must("modprobe -r ip_vs && modprobe ip_vs");
  one_service();
  machines[0].busy_percent = 90;
  CHECK(within(20s, [] { return weight("10.2.0.11:80") < 6; }));
}

TEST_CASE("loop: no right and a second instance (case 57) are refused in one clear line") {
  one_service();
  Machines machines(3, LVS_AGENT, LVS_MONITORCTL);
  auto monitord = start_monitord();
  REQUIRE(within(20s, [] { return number("cycle") > 0; }));
  auto const second = run(LVS_MONITORD " --config /run/monitord.yaml");
  CHECK(second.exit_code == 1);
  CHECK(second.output.find(std::to_string(monitord.pid())) != std::string::npos);
  CHECK(monitord.end(SIGTERM) == 0);
  must("chmod 644 /run/monitord.yaml && chown 1000 /run/master.yaml");
  auto const powerless =
      run("setpriv --reuid 1000 --regid 1000 --clear-groups "
          "--bounding-set -all " LVS_MONITORD " --dry-run --config /run/monitord.yaml");
  CAPTURE(powerless.output);
  CHECK(powerless.exit_code == 1);
  CHECK(powerless.output.find("CAP_NET_ADMIN") != std::string::npos);
}
