// The built program on a terminal and without one.

#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"

using lvs::monitorctl::testing::text_of;
using lvs::monitorctl::testing::write_text;
using lvs::testing::ScratchFolder;

namespace {

/// Far more work than anybody wants to wait for.
constexpr auto endless_scenario =
    "duration: 600s\n"
    "warmup: 4s\n"
    "load: 0.5\n"
    "servers: [{count: 8, speed: 1}]\n"
    "strategies: [equal]\n";

/// What appears on the terminal until `part` is there, or the program has ended.
std::string seen_on_terminal(const std::string& command, const std::string& part) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  REQUIRE(child >= 0);
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    ::_exit(127);
  }
  std::string seen;
  std::array<char, 4096> block{};
  while (seen.find(part) == std::string::npos) {
    const auto count = ::read(terminal, block.data(), block.size());
    if (count <= 0) break;  // EIO: it has ended
    seen.append(block.data(), static_cast<std::size_t>(count));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(terminal);
  return seen;
}

std::string simulation_of(const ScratchFolder& folder) {
  write_text(folder.file("pool.yaml"), endless_scenario);
  return std::string(LVS_MONITORCTL) + " simulate " + folder.file("pool.yaml") +
         " --jobs 1 --seeds 1000";
}

}  // namespace

TEST_CASE("progress: a terminal shows how far a simulation is") {
  const ScratchFolder folder;
  const auto seen = seen_on_terminal("env TERM=xterm " + simulation_of(folder), " left");
  CHECK(seen.find("of 1000 runs, ") != std::string::npos);
  CHECK(seen.find('\n') == std::string::npos);
}

TEST_CASE("progress: a terminal shows how much of a recording was read") {
  const ScratchFolder folder;
  const auto line = [](const std::string& t) {
    return R"({"t":)" + t +
           R"(,"services":[{"service":"tcp 10.9.9.9:80","scheduler":"wrr","destinations":[]}],)"
           R"("readings":{}})"
           "\n";
  };
  write_text(folder.file("first"), line("2.0"));
  write_text(folder.file("second"), line("4.0"));
  write_text(folder.file("config.yaml"), "dry_run: true\n");
  // Of a pipe the end is not known. The second line comes when there is something to show.
  const auto seen = seen_on_terminal("env TERM=xterm sh -c 'cd " + folder.path() +
                                         " && { cat first; sleep 0.5; cat second; } | " +
                                         LVS_MONITORCTL + " replay - --config config.yaml'",
                                     "tcp 10.9.9.9:80");
  CHECK(seen.find("\r0.0 MB, 0:0") != std::string::npos);
  // Taken away before the summary, which goes to the same terminal.
  const auto shown = std::min(seen.find("\r0.0 MB"), seen.size());
  CHECK(seen.find("\r\033[K", shown) != std::string::npos);
}

TEST_CASE("progress: none where it cannot be shown or is not wanted") {
  const ScratchFolder folder;
  const auto pool = folder.file("pool.yaml");
  write_text(pool,
             "duration: 30s\nwarmup: 4s\nload: 0.5\nservers: [{speed: 1}, {speed: 2}]\n"
             "strategies: [equal]\n");
  const auto simulation = std::string(LVS_MONITORCTL) + " simulate " + pool + " --seeds 400 ";
  const auto command =
      GENERATE_COPY("env TERM=dumb " + simulation, "env TERM=xterm " + simulation + "--no-progress",
                    "env TERM=xterm sh -c '" + simulation + " 2>&1 | cat'");
  const auto seen = seen_on_terminal(command, "no such text");
  CHECK(seen.find("pool") != std::string::npos);
  CHECK(seen.find(" % [") == std::string::npos);
  CHECK(seen.find('\033') == std::string::npos);
}
