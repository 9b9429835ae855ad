// Programs beside the loop, as they end and as they do not.

#include "monitord/outputs/command.hpp"

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace std::chrono_literals;

namespace {

CommandResult run(const std::vector<std::string>& words, std::chrono::nanoseconds time = 30s) {
  boost::asio::io_context io;
  std::optional<CommandResult> taken;
  std::make_shared<Command>(io, [&](const CommandResult& result) {
    taken = result;
  })->start(words, time);
  io.run();
  REQUIRE(taken.has_value());
  return *taken;
}

CommandResult shell(const std::string& script, std::chrono::nanoseconds time = 30s) {
  return run({"/bin/sh", "-c", script}, time);
}

}  // namespace

TEST_CASE("command: what cannot be started says so") {
  CHECK(run({}).output == "no program is named");
  auto const missing = run({"/nowhere/nginx", "-t"});
  CHECK_FALSE(missing.succeeded);
  CHECK(missing.output == "/nowhere/nginx: No such file or directory");
  CHECK(run({"/etc/passwd"}).output.find("Permission denied") != std::string::npos);
}

TEST_CASE("command: a file that is no program ends as one that failed") {
  lvs::testing::ScratchFolder const folder;
  auto const file = folder.write("no-program", "no #! here");
  REQUIRE(::chmod(file.c_str(), 0755) == 0);
  CHECK_FALSE(run({file}).succeeded);
}

TEST_CASE("command: its status and what it wrote on either output come back") {
  auto const good = shell("echo one; echo two >&2");
  CHECK(good.succeeded);
  CHECK(good.output == "one\ntwo\n");
  auto const bad = shell("echo why >&2; exit 3");
  CHECK_FALSE(bad.succeeded);
  CHECK(bad.output == "why\n");
  CHECK(shell("kill -9 $$").output == "it was ended by signal 9");
}

TEST_CASE("command: of much output the beginning is kept, and nobody waits for the rest") {
  auto const loud = shell("yes | head -c 1000000");
  CHECK(loud.succeeded);
  CHECK(loud.output.size() == 4096);
}

TEST_CASE("command: one that does not end is killed") {
  auto const slow = shell("exec sleep 1000", 50ms);
  CHECK_FALSE(slow.succeeded);
  CHECK(slow.output == "it did not end in time");
}

TEST_CASE("command: what it leaves behind holds nobody up") {
  CHECK(shell("sleep 20 & echo $!").succeeded);
}

TEST_CASE("command: it has nothing to read and none of the descriptors") {
  CHECK(shell("read line").output.empty());
  // 0, 1, 2, and the one that ls reads the folder with.
  auto const descriptors = shell("ls /proc/self/fd | wc -l");
  CHECK(descriptors.output == "4\n");
}

TEST_CASE("command: words are words, whatever a shell would make of them") {
  CHECK(run({"/bin/echo", "a  b", "$HOME;", "*"}).output == "a  b $HOME; *\n");
}

TEST_CASE("command: one that was dropped tells nobody") {
  boost::asio::io_context io;
  bool told = false;
  auto const command = std::make_shared<Command>(io, [&](const CommandResult&) { told = true; });
  command->start({"/bin/true"}, 30s);
  command->drop();
  io.run();
  CHECK_FALSE(told);
}
