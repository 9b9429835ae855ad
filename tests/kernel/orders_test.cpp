// Orders by hand, zeros of monitord's own, and what foreign writers and its end mean, on a real
// kernel with real agents.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <functional>
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

constexpr auto web1 = "10.2.0.11:80";
constexpr auto web2 = "10.2.0.12:80";
constexpr auto web3 = "10.2.0.13:80";

/// `policy` is added to the defaults, `general` stands on its own.
std::string settings(const std::string& policy = ", standby: steer",
                     const std::string& general = "") {
  Settings settings;
  settings.defaults =
      "strategy: headroom, min_write_interval: 0s, up_step: 1, slow_start: 1s" + policy;
  settings.servers = agents_on_loopback(3);
  settings.more = general;
  return settings_text(settings);
}

/// Three servers at 10, their agents, and a monitord that has heard of all of them.
struct Loop {
  explicit Loop(std::string config = settings()) : config_(std::move(config)) {
    ipvsadm_restore(
        "-A -t 10.9.9.9:80 -s wlc\n"
        "-a -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 10\n"
        "-a -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 10\n"
        "-a -t 10.9.9.9:80 -r 10.2.0.13:80 -m -w 10\n");
    start();
    for (auto const* server : {web1, web2, web3})
      REQUIRE(within(20s, [&] { return is_fresh(server); }));
  }

  void start() { monitord = start_monitord(config_); }

  void kill_and_start() {
    CHECK(monitord.end(SIGKILL) == 128 + SIGKILL);
    start();
    REQUIRE(within(20s, [] { return number("cycle") > 0; }));
  }

  Machines machines{3, LVS_AGENT, LVS_MONITORCTL};
  Process monitord{{"/bin/true"}, "/dev/null"};

 private:
  std::string config_;
};

Result ctl(const std::string& words) {
  return run(LVS_MONITORCTL " " + words + " --socket /run/control.sock");
}

void order(const std::string& words) {
  auto const result = ctl(words);
  CAPTURE(words, result.output);
  REQUIRE(result.exit_code == 0);
}

std::string own_zero(const std::string& destination) {
  return text_field(destination, "own_zero");
}

/// For so many cycles the kernel's weight is this one and no other.
bool stays_at(const std::string& server, std::uint32_t expected, std::uint64_t cycles) {
  auto const until = number("cycle") + cycles;
  while (number("cycle") < until) {
    if (weight(server) != expected) return false;
    std::this_thread::sleep_for(50ms);
  }
  return true;
}

}  // namespace

TEST_CASE("orders: restore puts the bases back, and nothing is written until resume") {
  Loop loop;
  loop.machines[0].busy_percent = 90;
  REQUIRE(within(20s, [] { return weight(web1) < 6; }));
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.13:80 -m -w 0");
  REQUIRE(within(20s, [] { return outcome(web3) == "drained"; }));
  order("restore");
  CHECK(within(5s, [] { return weight(web1) == 10 && weight(web2) == 10; }));
  CHECK(weight(web3) == 0);
  loop.kill_and_start();  // it stands over a crash
  CHECK(stays_at(web1, 10, 10));
  CHECK(outcome(web1) == "paused");
  CHECK(ctl("status").output.find("everything is paused") != std::string::npos);
  order("resume");
  CHECK(within(20s, [] { return weight(web1) < 6; }));
}

TEST_CASE("orders: a drain by hand stands over a crash and ends with undrain") {
  Loop loop;
  order("drain tcp:10.9.9.9:80 10.2.0.11:80 --wait");
  CHECK(weight(web1) == 0);
  loop.kill_and_start();
  CHECK(stays_at(web1, 0, 10));
  CHECK(outcome(web1) == "hand_drain");
  CHECK(own_zero(web1) == "hand");
  order("undrain 10.2.0.11:80");
  CHECK(within(20s, [] { return weight(web1) >= 8; }));
  CHECK(base(web1) == 10);

  // Whoever else writes a weight ends it, and his zero is his.
  order("drain 10.2.0.12:80");
  REQUIRE(within(5s, [] { return weight(web2) == 0; }));
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 7");
  REQUIRE(within(5s, [] { return outcome(web2) != "hand_drain"; }));
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 0");
  REQUIRE(within(5s, [] { return outcome(web2) == "drained"; }));
  auto const refused = ctl("undrain 10.2.0.12:80");
  CHECK(refused.exit_code == 1);
  CHECK(stays_at(web2, 0, 6));
}

TEST_CASE("orders: the last server with a weight is not drained") {
  Loop loop;
  order("drain 10.2.0.11:80");
  order("drain 10.2.0.12:80");
  auto const refused = ctl("drain 10.2.0.13:80");
  CHECK(refused.exit_code == 1);
  CHECK(refused.output.find("last one") != std::string::npos);
  CHECK(within(5s, [] { return weight(web1) == 0 && weight(web2) == 0; }));
  CHECK(weight(web3) > 0);
}

TEST_CASE("orders: a pin is exact, outlives a crash and ends in its time") {
  Loop loop;
  loop.machines[0].busy_percent = 90;
  order("pin 10.2.0.11:80 33 --for 6s");
  CHECK(within(5s, [] { return weight(web1) == 33; }));
  loop.kill_and_start();
  CHECK(outcome(web1) == "pinned");
  CHECK(within(20s, [] { return weight(web1) < 20; }));
}

TEST_CASE("orders: who is not root may look and change nothing") {
  Loop const loop;
  must("chmod 666 /run/control.sock");
  auto const as_user = [](const std::string& words) {
    return run("setpriv --reuid 1000 --regid 1000 --clear-groups " LVS_MONITORCTL " " + words +
               " --socket /run/control.sock");
  };
  CHECK(as_user("status").exit_code == 0);
  for (auto const* words :
       {"pause", "restore", "drain 10.2.0.11:80", "pin 10.2.0.11:80 3", "reload"}) {
    auto const refused = as_user(words);
    CAPTURE(words, refused.output);
    CHECK(refused.exit_code == 1);
    CHECK(refused.output.find("only root") != std::string::npos);
  }
  CHECK(stays_at(web1, weight(web1), 3));
}

TEST_CASE("own zeros: a silent server's ends when its agent answers, over a kill: case 50") {
  Loop loop(settings(", standby: steer, on_silence: drain"));
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 0");
  loop.machines.kill_agent(0);
  CAPTURE(monitord_log());
  // Two of three at 0 would be more than half: it waits until the other one is back.
  REQUIRE(within(20s, [] { return outcome(web1) == "silent_hold"; }));
  CHECK(stays_at(web1, weight(web1), 8));
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 10");
  REQUIRE(within(20s, [] { return weight(web1) == 0; }));
  CHECK(own_zero(web1) == "silence");
  CHECK(loop.monitord.end(SIGKILL) == 128 + SIGKILL);
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.13:80 -m -w 0");  // while monitord is dead
  loop.machines.restart_agent(0);
  loop.start();
  CHECK(within(20s, [] { return weight(web1) >= 1; }));
  CHECK(base(web1) == 10);
  CHECK(stays_at(web3, 0, 10));
  CHECK(outcome(web3) == "drained");
}

TEST_CASE("own zeros: an agent that asks for drain gets it, and comes back") {
  Loop loop(settings(", standby: steer, agent_drain: true"));
  must(LVS_AGENT " drain --config /run/rs1.yaml --root /run/rs1");
  CHECK(within(20s, [] { return weight(web1) == 0; }));
  CHECK(within(5s, [] { return outcome(web1) == "agent_drain"; }));
  loop.kill_and_start();
  CHECK(stays_at(web1, 0, 8));
  must(LVS_AGENT " ready --config /run/rs1.yaml --root /run/rs1");
  CHECK(within(20s, [] { return weight(web1) >= 8; }));
}

/// One own zero, one server steered, one drained by hand; then monitord ends in good order.
void check_end(const std::string& on_exit,
               const std::function<std::uint32_t(std::uint32_t)>& left) {
  Loop loop(settings(", standby: steer, agent_drain: true", on_exit));
  loop.machines[1].busy_percent = 90;
  must(LVS_AGENT " drain --config /run/rs1.yaml --root /run/rs1");
  REQUIRE(within(20s, [] { return weight(web1) == 0 && weight(web2) < 6; }));
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.13:80 -m -w 0");
  REQUIRE(within(5s, [] { return outcome(web3) == "drained"; }));
  auto const steered = weight(web2);
  CHECK(loop.monitord.end(SIGTERM) == 0);
  CHECK(weight(web1) == 10);
  CHECK(weight(web2) == left(steered));
  CHECK(weight(web3) == 0);
}

TEST_CASE("own zeros: they end with monitord, and the other weights stay") {
  check_end("", [](std::uint32_t steered) { return steered; });
}

TEST_CASE("own zeros: they end with monitord, and on_exit: restore puts the bases back") {
  check_end("on_exit: restore\n", [](std::uint32_t) { return 10U; });
}

TEST_CASE("own zeros: they end when a reload lets the service go, and a drain by hand stays") {
  auto const policy = ", standby: steer, agent_drain: true";
  Loop loop(settings(policy));
  must(LVS_AGENT " drain --config /run/rs1.yaml --root /run/rs1");
  REQUIRE(within(20s, [] { return weight(web1) == 0; }));
  order("drain 10.2.0.12:80");
  REQUIRE(within(5s, [] { return weight(web2) == 0; }));
  std::ofstream("/run/monitord.yaml") << settings(policy, "services: []\n");
  auto const reload = ctl("reload");
  CAPTURE(reload.output);
  CHECK(reload.exit_code == 0);
  CHECK(reload.output.find("monitorctl undrain tcp:10.9.9.9:80 10.2.0.12:80") != std::string::npos);
  CHECK(within(5s, [] { return weight(web1) == 10; }));
  CHECK(stays_at(web2, 0, 4));
  order("undrain tcp:10.9.9.9:80 10.2.0.12:80");
  CHECK(within(5s, [] { return weight(web2) == 10; }));
}

TEST_CASE("foreign writers: reassert puts a weight back once, and leaves zeros alone") {
  Loop loop(settings(", standby: steer, foreign: reassert"));
  auto const ours = weight(web1);
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 40");
  CHECK(within(5s, [&] { return weight(web1) == ours; }));
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 41");
  CHECK(stays_at(web1, 41, 10));  // not again within the minute
  CHECK(outcome(web1) == "foreign");
  CHECK(base(web1) == 10);
  must("ipvsadm -e -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 0");
  CHECK(stays_at(web2, 0, 10));
}

TEST_CASE("standby: without a connection the weights of servers that answer stay") {
  Loop loop(settings(", standby: keep"));
  REQUIRE(within(20s, [] { return outcome(web1) == "standby"; }));
  auto const before = weights();
  loop.machines[0].busy_percent = 95;
  REQUIRE(cycles_pass(12));
  CHECK(weights() == before);
}
