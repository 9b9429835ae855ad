// Output `keepalived`: monitord writes track files, keepalived takes them to the kernel. The real
// programs on a real kernel, and web servers that really fail. docs/OUTPUTS.md has the
// configuration that stands here.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "kernel/guest.hpp"
#include "kernel/neighbour.hpp"
#include "kernel/process.hpp"
#include "support/fenced_blocks.hpp"

using namespace std::chrono_literals;
using namespace lvs::guest;

namespace {

constexpr auto keepalived_file = "/run/keepalived.conf";
const std::string folder = "/run/track";

/// What the track file of a destination says; empty where there is none.
std::string said(const std::string& destination) {
  auto text = text_of(folder + "/" + destination);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// The kernel has what the file says: keepalived has taken it there.
bool is_taken(const std::string& destination) {
  auto const now = weight_if_there(destination);
  return now && std::to_string(*now) == said(destination);
}

std::string settings() {
  Settings settings;
  settings.hold_polls = "12";
  settings.defaults += ", slow_start: 0s";
  settings.servers = agents_on_loopback(3);
  settings.more =
      "services:\n  - service: tcp:10.9.9.9:80\n    output: keepalived\n    folder: " + folder +
      "\n    min_write_interval: 2s\n    servers:\n";
  for (auto const& server : {web1, web2, web3})
    settings.more += "      - {destination: \"" + server + "\", base: 10}\n";
  return settings_text(settings);
}

void write_keepalived_file() {
  std::ofstream out(keepalived_file);
  out << "global_defs {\n  script_user root\n  enable_script_security\n}\n";
  for (auto const& server : {web1, web2, web3}) {
    out << "track_file " << server << " {\n  file \"" << folder << "/" << server
        << "\"\n  weight 1\n}\n";
  }
  out << "virtual_server 10.9.9.9 80 {\n  delay_loop 1\n  lb_algo wlc\n  lb_kind NAT\n"
      << "  protocol TCP\n";
  for (auto const& server : {web1, web2, web3}) {
    out << "  real_server " << server.substr(0, server.find(':')) << " 80 {\n    weight 0\n"
        << "    inhibit_on_failure\n    FILE_CHECK {\n      track_file " << server
        << "\n      weight 1\n    }\n    HTTP_GET {\n      url {\n        path /\n"
        << "        status_code 200\n      }\n      connect_timeout 1\n      retry 1\n"
        << "      delay_before_retry 1\n    }\n  }\n";
  }
  out << "}\n";
}

/// keepalived's checkers with their track files, and web servers for both.
class Director : public Beside {
 public:
  explicit Director(const std::string& first = "10\n") : Beside(settings()) {
    must("mkdir -p " + folder);
    if (!first.empty()) {
      for (auto const& server : {web1, web2, web3})
        std::ofstream(folder + "/" + server) << first;
    }
    write_keepalived_file();
    keepalived_.emplace(started());
  }

  void restart_keepalived() {
    (void)keepalived_->end(SIGTERM);
    keepalived_.emplace(started());
  }
  static std::string log() { return text_of("/run/keepalived.log"); }

 private:
  static Process started() {
    return Process({"/usr/sbin/keepalived", "--dont-fork", "--log-console", "--log-detail",
                    "--check", "--use-file", keepalived_file},
                   "/run/keepalived.log");
  }

  std::optional<Process> keepalived_{};
};

void order(const std::string& word, const std::string& destination) {
  auto const answer =
      answer_to("{\"command\":\"" + word + "\",\"service\":\"tcp 10.9.9.9:80\",\"destination\":\"" +
                destination + "\"}\n");
  CAPTURE(answer);
  REQUIRE(answer.find("\"ok\":true") != std::string::npos);
}

}  // namespace

TEST_CASE("track files: keepalived takes the configuration that the document has") {
  auto const blocks =
      lvs::testing::fenced_blocks(text_of(LVS_SOURCE_DIR "/docs/OUTPUTS.md"), "keepalived");
  REQUIRE(blocks.size() == 1);
  auto text = blocks.front();
  constexpr std::string_view folder_there = "/var/lib/monitord/keepalived/web";
  for (auto at = text.find(folder_there); at != std::string::npos; at = text.find(folder_there))
    text.replace(at, folder_there.size(), folder);
  must("mkdir -p " + folder);
  std::ofstream(keepalived_file) << text;
  auto const checked =
      run(std::string("/usr/sbin/keepalived --config-test --use-file ") + keepalived_file);
  CAPTURE(checked.output);
  // A warning that the document tells of, and nothing besides.
  constexpr int with_warnings = 5;
  CHECK(checked.exit_code == with_warnings);
  CHECK(checked.output.find("reducing quorum to 0") != std::string::npos);
  CHECK(std::count(checked.output.begin(), checked.output.end(), '\n') == 2);
}

TEST_CASE("track files: a failed check's 0 stays keepalived's, and its end brings the file back") {
  Director director;
  director.start_monitord_with_pool();
  director.check_that_load_lowers(0, web1, 6);
  REQUIRE(within(30s, [] { return is_taken(web1) && said(web1) != "0"; }));

  director.webs().stop(0);
  CAPTURE(Director::log(), monitord_log());
  REQUIRE(within(30s, [] { return weight_if_there(web1) == 0; }));
  CHECK(within(30s, [] { return outcome(web1) == "drained"; }));
  auto const kept = said(web1);
  CHECK(kept != "0");
  CHECK(director.weights_seen(web1, 20) == std::set<std::int64_t>{0});
  CHECK(said(web1) == kept);                    // nothing was written for it meanwhile
  director.check_that_load_lowers(1, web2, 6);  // the others are steered all the same

  director.webs().start(0);
  REQUIRE(within(30s, [] { return weight_if_there(web1) != 0; }));
  CHECK(base(web1) == 10);  // what the file says is no base
  director.check_that_load_lowers(0, web1, 6);
}

TEST_CASE("track files: keepalived takes what monitord writes, and nobody edits anything") {
  Director director;
  director.start_monitord_with_pool();
  auto const edits = number("foreign_edits");
  director.check_that_load_lowers(0, web1, 6);
  director.check_that_load_lowers(1, web2, 6);
  for (auto const& server : {web1, web2, web3}) {
    CAPTURE(server, said(server), Director::log(), monitord_log());
    CHECK(within(30s, [&] { return is_taken(server); }));
    CHECK(base(server) == 10);
  }
  CHECK(number("foreign_edits") == edits);
  CHECK(number("failed_writes") == 0);
  CHECK(must("stat -c %a " + folder + "/" + web1) == "644\n");
  CHECK(must("ls -A " + folder + " | wc -l") == "3\n");
}

TEST_CASE("track files: missing files are made, so that nobody starts at 0") {
  Director director("");
  director.start_monitord();
  CAPTURE(Director::log(), monitord_log());
  for (auto const& server : {web1, web2, web3}) {
    CHECK(within(60s, [&] { return said(server) == "10"; }));
    CHECK(within(60s, [&] { return weight_if_there(server) == 10; }));
  }
}

TEST_CASE("track files: a drain by hand is a 0 in the file and in the kernel") {
  Director director;
  director.start_monitord_with_pool();
  order("drain", web1);
  CAPTURE(Director::log(), monitord_log());
  CHECK(within(30s, [] { return said(web1) == "0" && weight_if_there(web1) == 0; }));
  director.restart_monitord();
  CHECK(director.weights_seen(web1, 10) == std::set<std::int64_t>{0});
  CHECK(outcome(web1) == "hand_drain");
  order("undrain", web1);
  CHECK(within(30s, [] { return weight_if_there(web1).value_or(0) > 0; }));
  CHECK(base(web1) == 10);
}

TEST_CASE("track files: weights outlive monitord, and keepalived") {
  Director director;
  director.start_monitord_with_pool();
  director.set_load(0, 95);
  REQUIRE(within(60s, [] { return weight_if_there(web1).value_or(10) < 6 && is_taken(web1); }));
  auto const before = said(web1);
  director.restart_monitord();
  REQUIRE(cycles_pass(3));
  CHECK(base(web1) == 10);
  CHECK(weight_if_there(web1).value_or(10) < 6);
  director.restart_keepalived();
  CAPTURE(before, Director::log(), monitord_log());
  CHECK(within(60s, [] { return weights().size() == 3 && is_taken(web1); }));
  // monitord's last cycle may have seen the table without it.
  CHECK(within(60s, [] { return base(web1) == 10; }));
}

TEST_CASE("track files: a folder that is not there is told, and the loop goes on") {
  Director director;
  director.start_monitord_with_pool();
  must("mv " + folder + " " + folder + ".away");
  director.set_load(0, 95);
  CAPTURE(monitord_log());
  CHECK(within(60s, [] { return number("failed_writes") > 0; }));
  CHECK(monitord_log().find("is not there: make it") != std::string::npos);
  REQUIRE(cycles_pass(3));
}
