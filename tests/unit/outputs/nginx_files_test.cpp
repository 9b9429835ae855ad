// Files, test and reload, with a shell script in the place of nginx.

#include "monitord/outputs/nginx_files.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "monitord/outputs/upstream_file.hpp"
#include "pools.hpp"
#include "support/catch.hpp"
#include "support/disk_full.hpp"
#include "support/scratch_folder.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace lvs::monitord::testing;
using lvs::testing::ScratchFolder;

namespace {

const auto web = service_key("pool web");
const auto mail = service_key("pool mail");
const auto s1 = destination_key("10.0.0.11:80");
const auto s2 = destination_key("10.0.0.12:80");

std::vector<OutputServer> two_servers(std::uint32_t first, std::uint32_t second) {
  return {{s1, "s1", 100, first}, {s2, "s2", 50, second}};
}

struct Fixture {
  ScratchFolder folder{};
  std::string path{folder.file("web.conf")};
  boost::asio::io_context io{};
  std::optional<NginxFiles> files{};
  Moment now{1000s};

  Fixture() { start(); }

  /// As a new process would begin.
  void start() {
    files.emplace(io);
    // The test fails while there is a file "bad", a reload while there is "stopped"; each leaves a
    // line.
    files->configure(
        {{"/bin/sh", "-c", script("test", "bad")}, {"/bin/sh", "-c", script("reload", "stopped")}});
  }
  [[nodiscard]] std::string script(const std::string& word, const std::string& fault) const {
    return "echo " + word + " >>" + folder.file("log") + "; ! [ -e " + folder.file(fault) +
           " ] || { echo \"nginx: [emerg] it is " + fault + "\" >&2; exit 1; }";
  }
  void declare(std::uint32_t first, std::uint32_t second, bool acts = true) {
    files->declare({{web, path, two_servers(first, second)}}, acts, now);
  }
  Output::Result write(const ipvs::DestinationKey& key, std::uint32_t weight) {
    OutputServer const one{key, "", 1, weight};
    return files->apply(web, {&one, 1}).at(0);
  }
  /// A cycle, and all that it has started.
  void cycle() {
    files->begin_cycle(now);
    io.restart();
    io.run();
  }
  void next_cycle() {
    now += 30s;
    cycle();
  }
  [[nodiscard]] std::string text() const { return folder.read("web.conf"); }
  [[nodiscard]] std::string log() const { return folder.read("log"); }
  [[nodiscard]] bool is_kept() const {
    return std::filesystem::exists(folder.file(".web.conf.before"));
  }
  void switch_on(const std::string& fault) const { folder.write(fault, ""); }
  void switch_off(const std::string& fault) const { std::filesystem::remove(folder.file(fault)); }
};

}  // namespace

TEST_CASE("nginx files: a folder that is not there is one clear line, and is not made") {
  Fixture host;
  auto const missing = host.folder.file("away");
  host.files->declare({{web, missing + "/web.conf", two_servers(1, 2)}}, true, host.now);
  host.cycle();
  auto const notes = host.files->notes(host.now);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] == "pool web: " + missing + "/web.conf: the folder " + missing +
                        " is not there: make it, as one that the user of monitord may write to");
  CHECK(host.log().empty());
  CHECK(host.files->all_told());
  std::filesystem::create_directory(missing);
  host.next_cycle();
  CHECK(host.files->notes(host.now).empty());
  CHECK(host.log() == "test\nreload\n");
}

TEST_CASE("nginx files: a server or a pool of nobody's is refused") {
  Fixture host;
  host.declare(1, 2);
  CHECK_FALSE(host.write(destination_key("10.0.0.13:80"), 1).has_value());
  OutputServer const one{s1, "", 1, 1};
  CHECK_FALSE(host.files->apply(mail, {&one, 1}).at(0).has_value());
}

TEST_CASE("nginx files: a test that fails puts the old file back, and is tried again") {
  Fixture host;
  host.declare(100, 50);
  host.cycle();
  auto const before = host.text();
  host.switch_on("bad");
  REQUIRE(host.write(s1, 10).has_value());
  host.next_cycle();
  CHECK(host.text() == before);
  CHECK_FALSE(host.is_kept());
  CHECK(host.files->counters() == ReloadCounters{1, 1, 0});
  REQUIRE(host.files->notes(host.now).size() == 1);
  CHECK(host.files->notes(host.now)[0].ends_with(
      "nginx refuses the new weights, and the file before is in place again: it is bad"));
  CHECK(host.files->all_told());
  host.switch_off("bad");
  host.next_cycle();
  CHECK(host.text() == upstream_text(two_servers(10, 50)));
  CHECK(host.files->notes(host.now).empty());
  CHECK(host.log() == "test\nreload\ntest\ntest\nreload\n");
}

TEST_CASE("nginx files: a test that fails where there was no file leaves the new one") {
  Fixture host;
  host.switch_on("bad");
  host.declare(100, 50);
  host.cycle();
  CHECK(host.text() == upstream_text(two_servers(100, 50)));
  REQUIRE(host.files->notes(host.now).size() == 1);
  CHECK(host.files->notes(host.now)[0].ends_with("nginx refuses its configuration: it is bad"));
}

TEST_CASE("nginx files: a reload that fails leaves the new file for the start of nginx") {
  Fixture host;
  host.declare(100, 50);
  host.cycle();
  host.switch_on("stopped");
  REQUIRE(host.write(s1, 10).has_value());
  host.next_cycle();
  CHECK(host.text() == upstream_text(two_servers(10, 50)));
  CHECK(host.files->counters() == ReloadCounters{1, 0, 1});
  REQUIRE(host.files->notes(host.now).size() == 1);
  CHECK(host.files->notes(host.now)[0].ends_with("when it starts: it is stopped"));

  SECTION("the same process tries again") {}
  SECTION("so does the next one") {
    host.start();
    host.declare(10, 50);
  }
  host.switch_off("stopped");
  host.next_cycle();
  CHECK(host.files->notes(host.now).empty());
  CHECK(host.files->counters().reloaded >= 1);
  CHECK_FALSE(host.is_kept());
}

TEST_CASE("nginx files: after a reload that failed the way back is a change as well") {
  Fixture host;
  host.declare(100, 50);
  host.cycle();
  host.switch_on("stopped");
  REQUIRE(host.write(s1, 10).has_value());
  host.next_cycle();
  host.switch_off("stopped");
  REQUIRE(host.write(s1, 100).has_value());
  CHECK_FALSE(host.files->all_told());
  host.next_cycle();
  CHECK(host.text() == upstream_text(two_servers(100, 50)));
  CHECK(host.files->counters() == ReloadCounters{2, 0, 1});
}

TEST_CASE("nginx files: a refusal is forgotten with the weights that it was about") {
  Fixture host;
  host.declare(100, 50);
  host.cycle();
  host.switch_on("bad");
  REQUIRE(host.write(s1, 10).has_value());
  host.next_cycle();
  REQUIRE(host.files->notes(host.now).size() == 1);
  REQUIRE(host.write(s1, 100).has_value());
  host.next_cycle();
  CHECK(host.files->notes(host.now).empty());
  CHECK(host.files->counters() == ReloadCounters{1, 1, 0});
}

TEST_CASE("nginx files: a change that was cut off goes back to what nginx had") {
  Fixture host;
  host.declare(100, 50);
  host.cycle();
  auto const before = host.text();
  // As a kill between the rename and the test leaves it.
  host.folder.write(".web.conf.before", before);
  host.folder.write("web.conf", upstream_text(two_servers(1, 1)));
  host.start();
  host.declare(1, 1);
  host.switch_on("bad");
  host.next_cycle();
  CHECK(host.text() == before);
}

TEST_CASE("nginx files: a program that is not there is a note") {
  Fixture host;
  host.files->configure({{"/nowhere/nginx", "-t"}, {"/bin/true"}});
  host.declare(100, 50);
  host.cycle();
  REQUIRE(host.files->notes(host.now).size() == 1);
  CHECK(host.files->notes(host.now)[0].ends_with("/nowhere/nginx: No such file or directory"));
}

TEST_CASE("nginx files: a full disk leaves the file as it was") {
  Fixture host;
  host.declare(100, 50);
  host.cycle();
  auto const before = host.text();
  REQUIRE(host.write(s1, 10).has_value());
  {
    lvs::testing::DiskFull const full(0);
    host.next_cycle();
  }
  CHECK(host.text() == before);
  CHECK(host.files->notes(host.now).size() == 1);
  host.next_cycle();
  CHECK(host.text() == upstream_text(two_servers(10, 50)));
}

TEST_CASE("nginx files: what is there already is neither written nor reloaded") {
  Fixture host;
  host.folder.write("web.conf", upstream_text(two_servers(100, 50)));
  host.declare(100, 50);
  host.cycle();
  CHECK(host.files->all_told());
  REQUIRE(host.write(s1, 100).has_value());
  host.next_cycle();
  CHECK(host.log().empty());
}

TEST_CASE("nginx files: a dry run makes none") {
  Fixture host;
  host.declare(100, 50, false);
  host.cycle();
  host.files->hurry(host.now);
  host.io.run();
  CHECK_FALSE(std::filesystem::exists(host.path));
  CHECK(host.files->all_told());
}

TEST_CASE("nginx files: all that changes within an interval is one reload at its end") {
  Fixture host;
  host.declare(100, 50);
  host.cycle();
  REQUIRE(host.write(s1, 10).has_value());
  host.now += 29s;
  host.cycle();
  CHECK_FALSE(host.files->all_told());
  REQUIRE(host.write(s2, 0).has_value());
  host.now += 1s;
  host.cycle();
  CHECK(host.text() == upstream_text(two_servers(10, 0)));
  CHECK(host.log() == "test\nreload\ntest\nreload\n");
}

TEST_CASE("nginx files: who ends does not wait for the interval") {
  Fixture host;
  host.declare(100, 50);
  host.cycle();
  REQUIRE(host.write(s1, 10).has_value());
  host.files->hurry(host.now);
  CHECK_FALSE(host.files->all_told());
  host.io.restart();
  host.io.run();
  CHECK(host.files->all_told());
  CHECK(host.text() == upstream_text(two_servers(10, 50)));
}

TEST_CASE("nginx files: what changes while nginx is told is told next") {
  Fixture host;
  host.declare(100, 50);
  host.files->begin_cycle(host.now);
  REQUIRE(host.write(s1, 10).has_value());
  host.io.run();
  CHECK(host.text() == upstream_text(two_servers(100, 50)));
  CHECK_FALSE(host.files->all_told());
  host.next_cycle();
  CHECK(host.text() == upstream_text(two_servers(10, 50)));
}

TEST_CASE("nginx files: pools share a test and a reload") {
  Fixture host;
  host.files->declare({{web, host.path, two_servers(1, 2)},
                       {mail, host.folder.file("mail.conf"), two_servers(3, 4)}},
                      true, host.now);
  host.cycle();
  CHECK(host.folder.read("mail.conf") == upstream_text(two_servers(3, 4)));
  CHECK(host.log() == "test\nreload\n");
}

TEST_CASE("nginx files: a pool that is let go gets the bases of those that were down") {
  Fixture host;
  host.declare(37, 0);
  host.cycle();
  host.files->declare({}, true, host.now);
  host.next_cycle();
  CHECK(host.text() == upstream_text(two_servers(37, 50)));
  CHECK(host.files->all_told());
  CHECK(host.files->notes(host.now).empty());
  // Without anybody down it is left as it is.
  host.declare(37, 12);
  host.next_cycle();
  host.files->declare({}, true, host.now);
  host.next_cycle();
  CHECK(host.text() == upstream_text(two_servers(37, 12)));
}

TEST_CASE("nginx files: a pool that is let go while nginx is told gets its bases after that") {
  Fixture host;
  host.declare(37, 0);
  host.files->begin_cycle(host.now);
  host.files->declare({}, true, host.now);
  host.io.run();
  host.next_cycle();
  CHECK(host.text() == upstream_text(two_servers(37, 50)));
}

TEST_CASE("nginx files: one that ends while nginx is told is not called back") {
  Fixture host;
  host.declare(100, 50);
  host.files->begin_cycle(host.now);
  host.files.reset();
  host.io.run();
  CHECK(host.log() == "test\n");
}
