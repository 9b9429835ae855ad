// What monitord may still do once it runs, started as root, and that this is enough for all its
// work: weights, state, control socket, recording, reload.

#include <boost/json.hpp>
#include <chrono>
#include <fstream>
#include <string>

#include "kernel/director.hpp"
#include "kernel/guest.hpp"
#include "kernel/machines.hpp"
#include "kernel/process.hpp"
#include "kernel/settings.hpp"
#include "support/catch.hpp"
#include "support/process_status.hpp"

using namespace std::chrono_literals;
using lvs::guest::Machines;
using lvs::guest::must;
using lvs::guest::Process;

namespace {

std::string settings() {
  lvs::guest::Settings settings;
  settings.interval = "300ms";
  settings.deadline = "100ms";
  settings.defaults = "strategy: headroom, min_write_interval: 300ms, up_step: 1, standby: steer";
  settings.servers = lvs::guest::agents_on_loopback(2);
  settings.more = "record: {file: /run/record.jsonl}\n";
  return lvs::guest::settings_text(settings);
}
constexpr auto net_admin_alone = "0000000000001000";
constexpr auto nothing = "0000000000000000";

void one_service() {
  lvs::guest::ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wlc\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 10\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 10\n");
}

lvs::guest::Result monitorctl(const std::string& command) {
  return lvs::guest::run(LVS_MONITORCTL " " + command + " --socket /run/control.sock");
}

}  // namespace

TEST_CASE("privileges: started as root it keeps CAP_NET_ADMIN alone and does all its work") {
  one_service();
  Machines machines(2, LVS_AGENT, LVS_MONITORCTL);
  machines[0].busy_percent = 90;
  auto monitord = lvs::guest::start_monitord(settings());
  REQUIRE(lvs::guest::within(30s, [] { return lvs::guest::number("writes") > 0; }));
  auto const threads = lvs::testing::statuses_of_threads(monitord.pid());
  CHECK(threads.size() > 1);  // a recording has its own
  for (auto const& status : threads) {
    CHECK(status.at("CapPrm") == net_admin_alone);
    CHECK(status.at("CapEff") == net_admin_alone);
    CHECK(status.at("CapBnd") == net_admin_alone);
    CHECK(status.at("CapInh") == nothing);
    CHECK(status.at("CapAmb") == nothing);
    CHECK(status.at("NoNewPrivs") == "1");
  }
  CHECK(must("stat -c '%a %U' /run/state.journal /run/control.sock /run/record.jsonl") ==
        "640 root\n660 root\n640 root\n");

  must("sed -i 's/^hold_polls: .*/hold_polls: 5/' /run/monitord.yaml");
  auto const reloaded = monitorctl("reload");
  CAPTURE(reloaded.output);
  CHECK(reloaded.exit_code == 0);
  CHECK(reloaded.output.find("hold_polls") != std::string::npos);
  auto const writes = lvs::guest::number("writes");
  machines[0].busy_percent = 5;
  CHECK(lvs::guest::within(30s, [&] { return lvs::guest::number("writes") > writes; }));
  must("mv /run/record.jsonl /run/night.jsonl");
  CHECK(monitorctl("reload").exit_code == 0);
  CHECK(lvs::guest::within(
      30s, [] { return lvs::guest::run("test -s /run/record.jsonl").exit_code == 0; }));
  CHECK(monitord.end(SIGTERM) == 0);
  CHECK(lvs::guest::run("test -e /run/control.sock").exit_code == 1);
}

TEST_CASE("privileges: as root it does not run beside another user's state that it cannot keep") {
  one_service();
  Machines machines(2, LVS_AGENT, LVS_MONITORCTL);
  must("mkdir -p /run/state && chown 1000:1000 /run/state && chmod 750 /run/state");
  std::ofstream("/run/monitord.yaml") << settings() << "\n";
  must("sed -i 's,/run/state.journal,/run/state/journal,' /run/monitord.yaml");
  auto const refused = lvs::guest::run(LVS_MONITORD " --config /run/monitord.yaml");
  CAPTURE(refused.output);
  CHECK(refused.exit_code == 1);
  CHECK(refused.output.find("/run/state belongs to uid 1000") != std::string::npos);
  CHECK(refused.output.find("systemctl start monitord") != std::string::npos);
  CHECK(must("ls /run/state").empty());
  // Only to look, it may look.
  CHECK(lvs::guest::run(LVS_MONITORD " --once --dry-run --config /run/monitord.yaml").exit_code ==
        0);
}

TEST_CASE("privileges: a configuration that a reload cannot read is foretold") {
  one_service();
  Machines machines(2, LVS_AGENT, LVS_MONITORCTL);
  std::ofstream("/run/monitord.yaml") << settings();
  must("chown 1000 /run/monitord.yaml && chmod 600 /run/monitord.yaml");
  Process const monitord({LVS_MONITORD, "--config", "/run/monitord.yaml"}, "/run/monitord.log");
  REQUIRE(lvs::guest::within(30s, [] { return lvs::guest::number("cycle") > 0; }));
  auto const notes = boost::json::serialize(lvs::guest::status().at("monitord").at("notes"));
  CHECK(notes.find("chown root /run/monitord.yaml") != std::string::npos);
  auto const refused = monitorctl("reload");
  CHECK(refused.exit_code != 0);
  CHECK(refused.output.find("Permission denied") != std::string::npos);
  auto const cycle = lvs::guest::number("cycle");
  CHECK(lvs::guest::within(30s, [&] { return lvs::guest::number("cycle") > cycle; }));
  must("chown root /run/monitord.yaml");
  CHECK(monitorctl("reload").exit_code == 0);
}
