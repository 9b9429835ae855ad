// Output `haproxy` against HAProxy itself: what it makes of monitord's answers, what stays when
// either of them goes away, and its counters.

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "haproxy.hpp"
#include "support/fenced_blocks.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

std::uint64_t answered(World& world) {
  return world.monitord().last_report().outputs.questions.answered;
}

/// HAProxy has asked for every server a few times since.
bool rounds_pass(World& world) {
  auto const before = answered(world);
  return world.within(30s, [&] { return answered(world) >= before + 8; });
}

/// What one of the pool's servers is said to be in the last cycle.
const Verdict& verdict(World& world, const std::string& destination) {
  auto const key = destination_key(destination);
  for (auto const& one : world.monitord().last_report().verdicts) {
    if (one.destination == key) return one;
  }
  throw std::runtime_error("no verdict about " + destination);
}

}  // namespace

TEST_CASE("haproxy: it takes the configuration that the document has") {
  lvs::testing::ScratchFolder const folder;
  auto const blocks = lvs::testing::fenced_blocks(
      lvs::testing::text_of_file(LVS_SOURCE_DIR "/docs/OUTPUTS.md"), "haproxy");
  REQUIRE(blocks.size() == 1);
  auto text = blocks.front();
  constexpr std::string_view socket = "/run/haproxy/monitord.sock mode 660 group monitord";
  REQUIRE(text.find(socket) != std::string::npos);  // there is neither folder nor group here
  text.replace(text.find(socket), socket.size(), folder.file("admin.sock"));
  auto const file = folder.write("haproxy.cfg", text + "\n");
  lvs::guest::Process haproxy({"/usr/sbin/haproxy", "-c", "-f", file}, folder.file("log"));
  auto const status = haproxy.wait();
  CAPTURE(folder.read("log"));
  CHECK(status == 0);
}

TEST_CASE("haproxy: a server that no pool has keeps its weight and its state, and is counted") {
  World world;
  world.start_monitord();
  CAPTURE(world.log());
  REQUIRE(rounds_pass(world));
  CHECK(world.monitord().last_report().outputs.questions.unknown > 0);
  CHECK(world.weight("s3") == 100);
  CHECK_FALSE(world.status("s3").starts_with("DOWN"));
}

TEST_CASE("haproxy: while nobody answers every weight is that of haproxy.cfg") {
  World world;
  world.pass(1s);
  CHECK(world.weight("s1") == 100);
  CHECK(world.weight("s2") == 50);
  CHECK_FALSE(world.status("s1").starts_with("DOWN"));
}

TEST_CASE("haproxy: it takes the weights that monitord has") {
  World world;
  world.start_monitord();
  CAPTURE(world.log());
  REQUIRE(rounds_pass(world));
  CHECK(world.weight("s1") == 100);
  CHECK(world.weight("s2") == 50);
  for (std::uint32_t const weight : {37U, 1U, 256U, 99U}) {
    REQUIRE(world.order(Order::Kind::pin, World::s1, weight));
    REQUIRE(world.order(Order::Kind::pin, World::s2, weight));
    CAPTURE(weight);
    CHECK(world.within(30s, [&] { return world.weight("s1") == weight; }));
    CHECK(world.within(30s, [&] { return world.weight("s2") == weight; }));
  }
  CHECK_FALSE(world.order(Order::Kind::pin, World::s1, 257));
}

TEST_CASE("haproxy: a drain takes the server out, and its end brings it back") {
  World world;
  world.start_monitord();
  REQUIRE(rounds_pass(world));
  REQUIRE(world.order(Order::Kind::drain, World::s1));
  CHECK(world.within(30s, [&] { return world.weight("s1") == 0; }));
  REQUIRE(world.order(Order::Kind::undrain, World::s1));
  CHECK(world.within(30s, [&] { return world.weight("s1") > 0; }));
}

TEST_CASE("haproxy: what an operator set there stands, whatever monitord answers") {
  World world;
  world.start_monitord();
  REQUIRE(rounds_pass(world));
  world.command("set server be/s1 state maint");
  REQUIRE(rounds_pass(world));
  CHECK(world.status("s1") == "MAINT");
  world.command("set server be/s1 state drain");
  REQUIRE(rounds_pass(world));
  CHECK(world.status("s1").starts_with("DRAIN"));
  world.command("set server be/s1 state ready");
  REQUIRE(rounds_pass(world));
  CHECK(world.weight("s1") == 100);
}

TEST_CASE("haproxy: a server that fails HAProxy's own check is not called up by monitord") {
  // Nobody listens on that port: checks fail, and "up" of an agent is no reason to send anybody.
  World world(" check port 1 inter 100ms fall 2");
  world.start_monitord();
  CAPTURE(world.log());
  CHECK(world.within(30s, [&] { return world.status("s1").starts_with("DOWN"); }));
  REQUIRE(rounds_pass(world));
  CHECK(world.status("s1").starts_with("DOWN"));
}

TEST_CASE("haproxy: weights stay when monitord dies, and the next one goes on from them") {
  World world;
  world.start_monitord();
  REQUIRE(rounds_pass(world));
  REQUIRE(world.order(Order::Kind::pin, World::s1, 37));
  REQUIRE(world.within(30s, [&] { return world.weight("s1") == 37; }));
  world.kill_monitord();
  world.pass(1s);
  CHECK(world.weight("s1") == 37);
  CHECK_FALSE(world.status("s1").starts_with("DOWN"));

  world.start_monitord();
  CHECK(verdict(world, World::s1).current == 37);
  REQUIRE(rounds_pass(world));
  CHECK(world.weight("s1") == 37);
  CHECK(verdict(world, World::s1).base == 100);
}

TEST_CASE("haproxy: a HAProxy that starts anew is told at once") {
  World world;
  world.start_monitord();
  REQUIRE(rounds_pass(world));
  REQUIRE(world.order(Order::Kind::pin, World::s1, 37));
  REQUIRE(world.within(30s, [&] { return world.weight("s1") == 37; }));
  world.kill_haproxy();
  world.start_haproxy();
  CHECK(world.within(30s, [&] { return world.weight("s1") == 37; }));
}

TEST_CASE("haproxy: connections are counted from its stats socket") {
  World world("", "    stats: SOCKET\n    strategy: capacity\n");
  world.start_monitord();
  CAPTURE(world.log());
  REQUIRE(
      world.within(30s, [&] { return world.monitord().last_report().outputs.stats.read >= 2; }));
  for (int i = 0; i < 30; ++i)
    world.connect_client();
  // roundrobin by 100:50, and s3 with 100 beside them: 12 and 6
  CHECK(world.within(30s, [&] {
    auto const first = verdict(world, World::s1).active;
    auto const second = verdict(world, World::s2).active;
    return first + second >= 16 && first + second <= 20 && first > second;
  }));
  CHECK(world.monitord().last_report().outputs.stats.failed == 0);
}

TEST_CASE("haproxy: a weight in haproxy.cfg that is not the base is found out") {
  // The last one counts: 1 instead of 100, of which any percentage below 100 is cut off to 0.
  World world(" weight 1", "    stats: SOCKET\n    strategy: headroom\n");
  world.start_monitord();
  REQUIRE(rounds_pass(world));
  REQUIRE(world.order(Order::Kind::pin, World::s1, 37));
  CHECK(world.within(30s, [&] {
    for (auto const& note : world.monitord().last_report().notes) {
      if (note.find("HAProxy has s1 at weight 0") != std::string::npos) return true;
    }
    return false;
  }));
}

TEST_CASE("haproxy: a stats socket that goes away is a note, and weights are answered on") {
  World world("", "    stats: SOCKET\n    strategy: headroom\n");
  world.start_monitord();
  REQUIRE(rounds_pass(world));
  world.kill_haproxy();
  CHECK(world.within(30s, [&] {
    for (auto const& note : world.monitord().last_report().notes) {
      if (note.starts_with("no counters from HAProxy's stats socket")) return true;
    }
    return false;
  }));
  CHECK(world.monitord().last_report().degraded.empty());
  world.start_haproxy();
  CHECK(rounds_pass(world));
}
