// The built `monitorctl top` in a terminal of its own, before a daemon that is made up.

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "terminal.hpp"
#include "top_world.hpp"

using lvs::monitorctl::testing::FakeDaemon;
using lvs::monitorctl::testing::ProgramInTerminal;
using lvs::monitorctl::testing::Screen;
using lvs::monitorctl::testing::text_of;
using lvs::testing::ScratchFolder;

namespace {

using Texts = std::vector<std::string>;

constexpr auto end_key = "\x1bOF";  // as an xterm sends it to a program with the keypad
constexpr auto home_key = "\x1bOH";
constexpr auto down_key = "\x1bOB";
constexpr auto escape_key = "\x1b";

Texts arguments(const std::string& socket, Texts further = {}) {
  Texts all{LVS_MONITORCTL, "top", "--socket", socket, "--interval", "200ms"};
  all.insert(all.end(), further.begin(), further.end());
  return all;
}

Texts environment(Texts further = {"LC_ALL=C.UTF-8"}) {
  Texts all{"TERM=xterm", "PATH=/usr/bin:/bin", "LINES=7", "COLUMNS=7"};
  all.insert(all.end(), further.begin(), further.end());
  return all;
}

bool shows(const Screen& screen, std::string_view text) {
  return screen.text().find(text) != std::string::npos;
}

/// As it was before: other screen, cursor, line editing and echo.
void check_restored(const ProgramInTerminal& program) {
  CHECK_FALSE(program.screen().alternate());
  CHECK(program.screen().cursor_visible());
  CHECK(program.settings_restored());
}

}  // namespace

TEST_CASE("top: keys, sizes and the way out, in a real terminal") {
  const ScratchFolder directory;
  const FakeDaemon daemon(directory.file("control.sock"));
  ProgramInTerminal top(arguments(directory.file("control.sock")), environment(), 30, 100);
  top.wait_for_text("> 10.0.0.11:80");
  top.wait_for_text("Inact");  // not at 80 columns
  top.wait_for_text("tcp 10.9.9.9:80 wrr  4 destinations");
  top.wait_for_text("▇▇▇▇");  // from the history: it has just begun itself
  top.wait_for_text("silent_hold");
  top.wait([](const Screen& screen) { return screen.lines().back().starts_with("q quit"); });
  CHECK(top.screen().alternate());
  CHECK_FALSE(top.screen().cursor_visible());
  CHECK_FALSE(top.settings_restored());

  top.press(down_key);
  top.wait_for_text("> 10.0.0.12:80");
  top.press(end_key);
  top.wait_for_text("> 10.0.0.11:0");
  top.press(home_key);
  top.wait_for_text("> 10.0.0.11:80");
  top.press("s");
  top.wait_for_text("s sort: weight");
  top.press("\r");
  top.wait_for_text("tcp 10.9.9.9:80 -> 10.0.0.");
  top.press(escape_key);
  top.wait_for_text("s sort: weight");
  top.press("?");
  top.wait_for_text("choose a destination");
  top.press("?");
  top.wait_until_gone("choose a destination");
  top.press("/silent");
  top.wait_for_text("Filter: silent");
  top.wait_until_gone("10.0.0.13:80");
  top.press("\r");
  top.wait_for_text("/ filter: silent");

  top.resize(50, 200);
  top.wait_for_text("last reading 12.5 s ago: weight held");
  top.press(escape_key);
  top.wait_for_text("fwm 7 wrr");
  top.resize(6, 40);
  top.wait([](const Screen& screen) { return screen.lines().back().starts_with("q quit"); });
  top.resize(5, 20);
  top.wait_for_text("too small");

  top.press("q");
  CHECK(top.end() == 0);
  check_restored(top);
}

TEST_CASE("top: space holds the screen and lets it go on") {
  const ScratchFolder directory;
  const FakeDaemon daemon(directory.file("control.sock"));
  ProgramInTerminal top(arguments(directory.file("control.sock")), environment(), 24, 120);
  top.wait_for_text("cycle 30");
  top.press(" ");
  top.wait_for_text("HELD: space goes on");
  const auto cycle = top.screen().text().substr(top.screen().text().find("cycle "), 9);
  top.press(down_key);
  top.wait_for_text("> 10.0.0.12:80");
  CHECK(shows(top.screen(), cycle));
  top.press(" ");
  top.wait_until_gone(cycle);
  top.press("q");
  CHECK(top.end() == 0);
}

TEST_CASE("top: it outlives the daemon and says so") {
  const ScratchFolder directory;
  const auto path = directory.file("control.sock");
  ProgramInTerminal top(arguments(path), environment(), 24, 80);
  top.wait_for_text("waiting for monitord");
  top.wait_for_text("is it running? systemctl status monitord");
  auto daemon = std::make_unique<FakeDaemon>(path);
  top.wait_for_text("> 10.0.0.11:80");
  CHECK_FALSE(shows(top.screen(), "trying again"));
  daemon.reset();
  top.wait_for_text("monitord does not answer, trying again");
  top.wait_for_text("> 10.0.0.11:80");
  daemon = std::make_unique<FakeDaemon>(path, 1);
  top.wait_until_gone("trying again");
  top.press("q");
  CHECK(top.end() == 0);
  check_restored(top);
}

TEST_CASE("top: signals end it and leave the terminal as it was") {
  const auto number = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGQUIT);
  const ScratchFolder directory;
  const FakeDaemon daemon(directory.file("control.sock"));
  ProgramInTerminal top(arguments(directory.file("control.sock")), environment(), 24, 80);
  top.wait_for_text("> 10.0.0.11:80");
  top.signal(number);
  CHECK(top.end() == 128 + number);
  check_restored(top);
}

TEST_CASE("top: the key of Ctrl-C is such a signal") {
  const ScratchFolder directory;
  const FakeDaemon daemon(directory.file("control.sock"));
  ProgramInTerminal top(arguments(directory.file("control.sock")), environment(), 24, 80);
  top.wait_for_text("> 10.0.0.11:80");
  top.press("\x03");
  CHECK(top.end() == 128 + SIGINT);
  check_restored(top);
}

TEST_CASE("top: colours only where they are wanted, and the text is the same") {
  const auto seen = [](const Texts& further) {
    const ScratchFolder directory;
    const FakeDaemon daemon(directory.file("control.sock"));
    // Every further question is an hour away: the screen stays with the first answer.
    Texts once_an_hour{LVS_MONITORCTL, "top", "--socket", directory.file("control.sock"),
                       "--interval",   "1h"};
    ProgramInTerminal top(once_an_hour, environment(further), 24, 80);
    top.wait_for_text("> 10.0.0.11:80");
    top.press("q");
    top.end();
    check_restored(top);
    return std::pair(top.screen().had_colours(), top.screen().text());
  };
  const auto [colours, text] = seen({"LC_ALL=C.UTF-8"});
  const auto [none, same] = seen({"LC_ALL=C.UTF-8", "NO_COLOR=1"});
  const auto [empty, again] = seen({"LC_ALL=C.UTF-8", "NO_COLOR="});
  CHECK(colours);
  CHECK_FALSE(none);
  CHECK(empty);
  const auto table_of = [](const std::string& screen) { return screen.substr(screen.find('\n')); };
  CHECK(table_of(same) == table_of(text));
  CHECK(table_of(again) == table_of(text));
}

TEST_CASE("top: in a locale without UTF-8 every byte is ASCII") {
  const ScratchFolder directory;
  const FakeDaemon daemon(directory.file("control.sock"));
  ProgramInTerminal top(arguments(directory.file("control.sock")), environment({"LC_ALL=C"}), 24,
                        80);
  top.wait_for_text("> 10.0.0.11:80");
  top.wait_for_text("****");
  CHECK_FALSE(top.screen().had_more_than_ascii());
  top.press("q");
  CHECK(top.end() == 0);
}

TEST_CASE("top: an unknown kind of terminal is named") {
  const ScratchFolder directory;
  ProgramInTerminal top(arguments(directory.file("control.sock")), {"TERM=no-such-terminal"}, 24,
                        200);
  CHECK(top.end() == 1);
  CHECK(shows(top.screen(), "a terminal of type \"no-such-terminal\" is not known here"));
  CHECK(top.settings_restored());
}

TEST_CASE("top: where there is no terminal it is one table") {
  const ScratchFolder directory;
  const FakeDaemon daemon(directory.file("control.sock"));
  const auto printed = [&](const std::string& before, const std::string& after) {
    const auto command = before + " " + LVS_MONITORCTL + " top --socket " +
                         directory.file("control.sock") + " " + after + " </dev/null >" +
                         directory.file("out");
    CHECK(std::system(command.c_str()) == 0);
    return text_of(directory.file("out"));
  };
  const auto wide = printed("env -u COLUMNS LC_ALL=C.UTF-8", "");
  CHECK(wide.find("\x1b") == std::string::npos);
  CHECK(wide.find("last reading 12.5 s ago: weight held\n") != std::string::npos);
  CHECK(wide.find("▇▇▇▇") != std::string::npos);
  const auto narrow = printed("COLUMNS=80 LC_ALL=C", "--once --filter silent");
  CHECK(narrow.find("10.0.0.12:80") != std::string::npos);
  CHECK(narrow.find("10.0.0.13:80") == std::string::npos);
  CHECK(narrow.find("last reading") == std::string::npos);
}

TEST_CASE("top: --once in a terminal is one table, too") {
  const ScratchFolder directory;
  const FakeDaemon daemon(directory.file("control.sock"));
  ProgramInTerminal top(arguments(directory.file("control.sock"), {"--once", "--sort", "cpu"}),
                        {"TERM=xterm", "LC_ALL=C.UTF-8"}, 24, 80);
  CHECK(top.end() == 0);
  CHECK_FALSE(top.screen().alternate());
  CHECK(shows(top.screen(), "\n  10.0.0.14:80"));
  for (const auto& line : top.screen().lines())
    CHECK_FALSE(line.starts_with(">"));
}
