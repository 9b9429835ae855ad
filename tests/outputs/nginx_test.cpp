// Output `nginx` against nginx itself: what it makes of the file, and what stays when either of
// them goes away or the configuration around the file is broken.

#include "nginx.hpp"

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "support/fenced_blocks.hpp"

using namespace lvs::monitord;
using namespace lvs::monitord::testing;

namespace {

using Shares = std::map<std::string, int>;

bool is_noted(NginxWorld& world, std::string_view part) {
  for (auto const& note : world.monitord().last_report().notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

/// The pins are in nginx.
void pin(NginxWorld& world, std::uint32_t first, std::uint32_t second) {
  auto const before = world.reloads().reloaded;
  REQUIRE(world.order(Order::Kind::pin, world.s1(), first));
  REQUIRE(world.order(Order::Kind::pin, world.s2(), second));
  world.pass(1200ms);  // both in one reload
  world.skip_interval();
  REQUIRE(world.within(30s, [&] { return world.reloads().reloaded > before; }));
}

/// A worker of before the reload may take connections for a moment.
bool shares_become(NginxWorld& world, const Shares& wanted) {
  return world.within(30s, [&] { return world.shares(40) == wanted; });
}

}  // namespace

TEST_CASE("nginx: it takes the configuration that the document has") {
  lvs::testing::ScratchFolder const folder;
  auto const blocks = lvs::testing::fenced_blocks(
      lvs::testing::text_of_file(LVS_SOURCE_DIR "/docs/OUTPUTS.md"), "nginx");
  REQUIRE(blocks.size() == 1);
  auto text = blocks.front();
  constexpr std::string_view include = "/var/lib/monitord/nginx/web.conf";
  REQUIRE(text.find(include) != std::string::npos);
  text.replace(text.find(include), include.size(), folder.file("web.conf"));
  folder.write("web.conf", "server 10.0.0.11:80 weight=100;\nserver 10.0.0.12:80 down;\n");
  auto const file = folder.write("nginx.conf", "pid " + folder.file("pid") +
                                                   ";\nerror_log stderr;\nevents {}\nhttp {\n"
                                                   "access_log off;\n" +
                                                   temporary_folders(folder) + text + "}\n");
  lvs::guest::Process nginx({"/usr/sbin/nginx", "-e", "stderr", "-t", "-c", file},
                            folder.file("log"));
  auto const status = nginx.wait();
  CAPTURE(folder.read("log"));
  CHECK(status == 0);
}

TEST_CASE(
    "nginx: a configuration that is broken elsewhere keeps the old file and the old weights") {
  NginxWorld world;
  world.start();
  pin(world, 30, 10);
  auto const before = world.upstream();
  world.write_nginx_file("nonsense on;\n");
  REQUIRE(world.order(Order::Kind::pin, world.s1(), 10));
  world.skip_interval();
  CHECK(world.within(30s, [&] { return world.reloads().test_failed == 1; }));
  CHECK(world.within(30s, [&] { return is_noted(world, "unknown directive \"nonsense\""); }));
  CHECK(world.upstream() == before);
  CHECK(shares_become(world, {{"s1", 30}, {"s2", 10}}));

  world.write_nginx_file();
  world.skip_interval();
  CHECK(shares_become(world, {{"s1", 20}, {"s2", 20}}));
  CHECK(world.within(30s, [&] { return !is_noted(world, "nginx"); }));
}

TEST_CASE("nginx: it takes the weights that monitord has") {
  NginxWorld world;
  world.start();
  CAPTURE(world.log());
  pin(world, 30, 10);
  CHECK(shares_become(world, {{"s1", 30}, {"s2", 10}}));
  pin(world, 1, 3);
  CHECK(shares_become(world, {{"s1", 10}, {"s2", 30}}));
  CHECK_FALSE(is_noted(world, "nginx"));
}

TEST_CASE("nginx: a drain takes the server out, and its end brings it back") {
  NginxWorld world;
  world.start();
  REQUIRE(world.order(Order::Kind::drain, world.s1()));
  world.skip_interval();
  CHECK(shares_become(world, {{"s2", 40}}));
  CHECK(world.upstream().find("server " + world.s1() + " down;") != std::string::npos);
  REQUIRE(world.order(Order::Kind::undrain, world.s1()));
  world.skip_interval();
  CHECK(world.within(30s, [&] { return world.shares(40).contains("s1"); }));
}

TEST_CASE("nginx: a request under way is answered, whatever is reloaded meanwhile") {
  NginxWorld world;
  world.start();
  world.first.holds = true;
  world.second.holds = true;
  auto const before = world.first.requests + world.second.requests;
  auto slow = world.request();
  REQUIRE(world.within(30s, [&] { return world.first.requests + world.second.requests > before; }));
  pin(world, 30, 10);
  world.first.release();
  world.second.release();
  REQUIRE(world.within(30s, [&] { return slow.ended(); }));
  CHECK(slow.body().has_value());
}

TEST_CASE("nginx: weights stay when monitord dies, and the next one goes on from them") {
  NginxWorld world;
  world.start();
  pin(world, 30, 10);
  world.kill_monitord();
  CHECK(shares_become(world, {{"s1", 30}, {"s2", 10}}));
  world.start_monitord();
  world.pass(1s);
  world.skip_interval();
  world.pass(1s);
  CHECK(world.reloads() == ReloadCounters{});  // nothing has changed: nothing is told
  CHECK(shares_become(world, {{"s1", 30}, {"s2", 10}}));
}

TEST_CASE("nginx: one that is away takes the weights from the file when it comes back") {
  NginxWorld world;
  world.start();
  world.kill_nginx();
  REQUIRE(world.order(Order::Kind::pin, world.s1(), 30));
  REQUIRE(world.order(Order::Kind::pin, world.s2(), 10));
  world.pass(1200ms);
  world.skip_interval();
  CHECK(world.within(30s, [&] { return is_noted(world, "nginx has not taken the new weights"); }));
  world.start_nginx();
  CHECK(shares_become(world, {{"s1", 30}, {"s2", 10}}));
  world.skip_interval();
  CHECK(world.within(30s, [&] { return !is_noted(world, "nginx"); }));
}
