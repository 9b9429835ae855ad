#include "monitord/daemon.hpp"

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "director.hpp"
#include "ipvs/fake_table.hpp"
#include "monitord/logging.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "support/without_root.hpp"

using namespace lvs;
using namespace lvs::monitord;
using namespace std::chrono_literals;
using lvs::monitord::testing::service;
using lvs::testing::ScratchFolder;

namespace {

namespace json = boost::json;

std::string config_text(const ScratchFolder& folder, const std::string& more) {
  return "agent: {keys: " + folder.file("keys.yaml") + "}\nstate: {file: " + folder.file("state") +
         "}\ncontrol: {socket: " + folder.file("control.sock") +
         "}\nhttp: {listen: none}\nlog: {level: error}\n" + more;
}

struct Fixture {
  ScratchFolder folder{};
  ipvs::FakeTable table{{service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.11:80", 10}})}};
  Moment now{1000s};
  boost::asio::io_context io{};
  StateJournal journal{folder.file("state")};

  Fixture() {
    // What is said is said in cycle_log's tests; here it would only clutter the output.
    set_up_log("off");
    folder.write("monitord.yaml", config_text(folder, "interval: 2s\n"));
  }

  Daemon daemon() {
    auto const file = folder.file("monitord.yaml");
    return Daemon(io, {file, {}, "1.2.3"}, read_configuration(file, {}).value(),
                  {table, journal, nullptr, [this] { return now; }, [] { return 1; }},
                  journal.open().value());
  }
  ControlServer::Answer answer(Daemon& daemon, const ControlRequest& request) {
    ControlServer::Answer answer;
    daemon.answer(request, [&](ControlServer::Answer text) { answer = std::move(text); });
    auto const end = std::chrono::steady_clock::now() + 60s;
    while (!answer && std::chrono::steady_clock::now() < end) {
      io.restart();
      io.run_one_for(1s);
    }
    REQUIRE(answer);
    return answer;
  }
  json::object asked(Daemon& daemon, ControlCommand command) {
    return json::parse(*answer(daemon, {command, {}, {}})).as_object();
  }
};

}  // namespace

TEST_CASE("daemon: a status before the first cycle is an error with a hint") {
  Fixture host;
  auto daemon = host.daemon();
  auto const answer = host.asked(daemon, ControlCommand::status);
  CHECK_FALSE(answer.at("ok").as_bool());
  CHECK(answer.at("hint").is_string());
}

TEST_CASE("daemon: a cycle is reported with what is missing") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.cycle(host.now);
  auto const answer = host.asked(daemon, ControlCommand::status);
  REQUIRE(answer.at("ok").as_bool());
  auto const& head = answer.at("result").at("monitord");
  CHECK(head.at("cycle").to_number<int>() == 1);
  CHECK(head.at("version").as_string() == "1.2.3");
  CHECK(head.at("wall_time").to_number<double>() > 0);
  auto const note = std::string(head.at("notes").as_array().at(0).as_string());
  CHECK(note.find(host.folder.file("keys.yaml")) != std::string::npos);
  CHECK(note.find("monitorctl keygen") != std::string::npos);
  CHECK(answer.at("result").at("services").as_array().size() == 1);
  // The same document until the next cycle.
  CHECK(host.answer(daemon, {ControlCommand::status, {}, {}}) ==
        host.answer(daemon, {ControlCommand::status, {}, {}}));
}

TEST_CASE("daemon: who measures the loop is told of each cycle when it was due and when it ended") {
  Fixture host;
  auto const file = host.folder.file("monitord.yaml");
  std::vector<CycleTimes> told;
  Daemon::Parts parts{host.table, host.journal, nullptr, [&host] { return host.now += 1ms; },
                      [] { return 1; }};
  parts.cycle_ended = [&told](const CycleTimes& times) { told.push_back(times); };
  Daemon daemon(host.io, {file, {}, "1.2.3"}, read_configuration(file, {}).value(),
                std::move(parts), host.journal.open().value());
  daemon.start();
  REQUIRE(told.size() == 1);
  CHECK(told[0].deadline < told[0].begun);
  CHECK(told[0].begun < told[0].ended);
  CHECK(told[0].ended <= host.now);
  CHECK(daemon.last_report().cycle == 1);
}

TEST_CASE("daemon: a lost table degrades the report and comes back") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.cycle(host.now);
  host.table.broken = ipvs::Error{ipvs::ErrorKind::no_ipvs, 2, "no ip_vs in this kernel"};
  daemon.cycle(host.now += 2s);
  CHECK(daemon.last_report().degraded == "no ip_vs in this kernel");
  host.table.broken.reset();
  daemon.cycle(host.now += 2s);
  CHECK(daemon.last_report().degraded.empty());
  CHECK(daemon.last_report().verdicts.size() == 1);
}

TEST_CASE("daemon: without CAP_NET_ADMIN it ends at once with 1") {
  Fixture host;
  host.table.broken = ipvs::Error{ipvs::ErrorKind::no_permission, 1, "CAP_NET_ADMIN is missing"};
  auto daemon = host.daemon();
  daemon.start();
  host.io.run();
  CHECK(daemon.exit_code() == 1);
  CHECK(daemon.last_report().degraded == "CAP_NET_ADMIN is missing");
}

TEST_CASE("daemon: a bad configuration changes nothing on reload") {
  Fixture host;
  auto daemon = host.daemon();
  host.folder.write("monitord.yaml", config_text(host.folder, "interval: 2\nhold_pols: 3\n"));
  auto const refused = daemon.reload();
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().find("monitord.yaml:6:") != std::string::npos);
  CHECK(refused.error().find("monitord.yaml:7:") != std::string::npos);
  auto const answer = host.asked(daemon, ControlCommand::reload);
  CHECK_FALSE(answer.at("ok").as_bool());

  // The one that runs is still what it was: the next good file differs from it, not from the bad.
  host.folder.write("monitord.yaml", config_text(host.folder, "interval: 2s\n"));
  CHECK(daemon.reload().value().empty());
  std::filesystem::remove(host.folder.file("monitord.yaml"));
  CHECK_FALSE(daemon.reload().has_value());
}

TEST_CASE("daemon: a reload that names another network namespace is refused: case 58") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.cycle(host.now);
  host.folder.write("monitord.yaml", config_text(host.folder, "interval: 2s\nnetns: blue\n"));
  auto const refused = daemon.reload();
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().find("unknown key \"netns\"") != std::string::npos);
  // It goes on in the one where it was started.
  daemon.cycle(host.now += 2s);
  CHECK(daemon.last_report().degraded.empty());
  CHECK(daemon.last_report().verdicts.size() == 1);
}

TEST_CASE("daemon: a reload reads the parts of the configuration as well") {
  Fixture host;
  auto daemon = host.daemon();
  host.folder.write("conf.d/10.yaml", "hold_polls: 7\n");
  CHECK(daemon.reload().value() == std::vector<std::string>{"hold_polls: 3 -> 7"});
  host.folder.write("conf.d/20.yaml", "hold_pols: 8\n");
  auto const refused = daemon.reload();
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().find("conf.d/20.yaml:1:1: error: unknown key") != std::string::npos);
  std::filesystem::remove(host.folder.file("conf.d/20.yaml"));
  CHECK(daemon.reload().value().empty());
}

TEST_CASE("daemon: what it runs with is answered with where it comes from") {
  Fixture host;
  auto daemon = host.daemon();
  auto const shown = [&host, &daemon] {
    auto const answer = host.asked(daemon, ControlCommand::config);
    return std::string(answer.at("result").at("config").as_string());
  };
  auto const before = shown();
  auto text = config_text(host.folder, "hold_polls: 9\n");
  CHECK(before.find("hold_polls: 3") != std::string::npos);
  // The file alone changes nothing.
  host.folder.write("monitord.yaml", text);
  CHECK(shown() == before);
  text.replace(text.find("control.sock"), 12, "elsewhere.sock");
  host.folder.write("monitord.yaml", text);
  CHECK(daemon.reload().has_value());
  CHECK(shown().find("hold_polls: 9") != std::string::npos);
  CHECK(shown().find("# " + host.folder.file("monitord.yaml") + ":6") != std::string::npos);
  // The socket stays, and what is shown says so.
  CHECK(shown().find("elsewhere.sock") == std::string::npos);
  CHECK(shown().find("from the start of monitord") != std::string::npos);
}

TEST_CASE("daemon: a pool at rest says nothing from cycle to cycle") {
  Fixture host;
  host.folder.write("monitord.yaml", config_text(host.folder, "dry_run: false\n"));
  host.table.entries = {
      service("tcp 10.9.9.9:80", "wrr", {{"127.0.0.1:80", 10}, {"127.0.0.2:80", 0}}),
      service("fwm 7", "wlc", {{"127.0.0.1:0", 5}, {"127.0.0.3:0", 3}})};
  auto daemon = host.daemon();
  std::vector<LogLine> lines;
  set_log_sink([&lines](const LogLine& line) { lines.push_back(line); });
  set_up_log("debug");
  daemon.cycle(host.now);
  CHECK_FALSE(lines.empty());  // it has started, and there are no keys
  // What silence leads to has been said after some cycles.
  for (int cycle = 0; cycle < 10; ++cycle)
    daemon.cycle(host.now += 2s);
  lines.clear();
  for (int cycle = 0; cycle < 3000; ++cycle)
    daemon.cycle(host.now += 2s);
  set_log_sink({});
  set_up_log("off");
  INFO((lines.empty() ? "" : string_from_log_line(lines.front())));
  CHECK(lines.empty());
}

TEST_CASE("daemon: a good configuration takes effect and says what it changes") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.cycle(host.now);
  CHECK(daemon.last_report().dry_run);
  host.folder.write("monitord.yaml", config_text(host.folder, "dry_run: false\ninterval: 4s\n"));
  auto const answer = host.asked(daemon, ControlCommand::reload);
  REQUIRE(answer.at("ok").as_bool());
  CHECK(answer.at("result").at("changes").as_array().size() == 2);
  daemon.cycle(host.now += 4s);
  CHECK_FALSE(daemon.last_report().dry_run);
}

TEST_CASE("daemon: a reload says what becomes of zeros that monitord set") {
  auto const [more, expected] = GENERATE(table<std::string, std::string>({
      {"dry_run: false\nservices: []\n", "until `monitorctl undrain tcp:10.9.9.9:80 10.0.0.11:80`"},
      {"dry_run: true\n", "nothing is written in a dry run"},
  }));
  Fixture host;
  host.table.entries = {
      service("tcp 10.9.9.9:80", "wrr", {{"10.0.0.11:80", 10}, {"10.0.0.12:80", 10}})};
  host.folder.write("monitord.yaml", config_text(host.folder, "dry_run: false\n"));
  auto daemon = host.daemon();
  daemon.cycle(host.now);
  Order drain;
  drain.kind = Order::Kind::drain;
  drain.service = monitord::testing::service_key("tcp 10.9.9.9:80");
  drain.destination = monitord::testing::destination_key("10.0.0.11:80");
  host.answer(daemon, {ControlCommand::order, drain, {}});
  daemon.cycle(host.now += 2s);
  REQUIRE(host.table.entries[0].destinations[0].weight == 0);
  host.folder.write("monitord.yaml", config_text(host.folder, more));
  auto const changes = daemon.reload().value();
  REQUIRE_FALSE(changes.empty());
  CHECK(changes.back().find("10.0.0.11:80 of tcp 10.9.9.9:80 stays at 0") == 0);
  CHECK(changes.back().find(expected) != std::string::npos);
}

TEST_CASE("daemon: keys that others may use or the group may write are refused") {
  Fixture host;
  auto const keys = host.folder.write(
      "keys.yaml", "keys:\n  - id: 1\n    master: " + std::string(64, 'a') + "\n");
  REQUIRE(::chmod(keys.c_str(), GENERATE(as<mode_t>{}, 0644, 0604, 0602, 0601, 0660, 0620)) == 0);
  auto const refused = read_configuration(host.folder.file("monitord.yaml"), {});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().find("chmod 0640 " + keys) != std::string::npos);
  CHECK(refused.error().find("aaaa") == std::string::npos);
  REQUIRE(::chmod(keys.c_str(), GENERATE(as<mode_t>{}, 0640, 0600, 0400)) == 0);
  CHECK(read_configuration(host.folder.file("monitord.yaml"), {}).value().keys.size() == 1);
}

TEST_CASE("daemon: keys that become open to others while it runs change nothing") {
  Fixture host;
  auto const keys = host.folder.write(
      "keys.yaml", "keys:\n  - id: 1\n    master: " + std::string(64, 'a') + "\n");
  REQUIRE(::chmod(keys.c_str(), 0640) == 0);
  auto daemon = host.daemon();
  REQUIRE(::chmod(keys.c_str(), 0644) == 0);
  CHECK(daemon.reload().error().find("chmod 0640 " + keys) != std::string::npos);
  REQUIRE(::chmod(keys.c_str(), 0640) == 0);
  CHECK(daemon.reload().value().empty());
}

TEST_CASE("daemon: keys that vanish are kept") {
  Fixture host;
  auto const keys = host.folder.write(
      "keys.yaml", "keys:\n  - id: 1\n    master: " + std::string(64, 'a') + "\n");
  REQUIRE(::chmod(keys.c_str(), 0640) == 0);
  auto daemon = host.daemon();
  std::filesystem::remove(host.folder.file("keys.yaml"));
  auto const vanished = daemon.reload();
  REQUIRE_FALSE(vanished.has_value());
  CHECK(vanished.error().find("vanished") != std::string::npos);
}

TEST_CASE("daemon: a pipe in the place of a configuration is refused and nobody waits for it") {
  Fixture host;
  auto daemon = host.daemon();
  auto const path = host.folder.file("monitord.yaml");
  std::filesystem::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(daemon.reload().error() == path + ": error: is a pipe, not a file\n");
}

TEST_CASE("daemon: keys that monitord may not read are refused with who has to own them") {
  Fixture host;
  using std::filesystem::perms;
  auto const keys = host.folder.file("keys.yaml");
  host.folder.write("keys.yaml", "keys: []\n");
  std::filesystem::permissions(keys, perms::none);
  std::filesystem::permissions(host.folder.file(""),
                               perms::owner_all | perms::group_exec | perms::others_exec);
  lvs::testing::WithoutRoot const stepped_down;
  auto const refused = read_configuration(host.folder.file("monitord.yaml"), {});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().find("chown root:monitord " + keys + " && chmod 0640 " + keys) !=
        std::string::npos);
}

TEST_CASE("daemon: what only a restart can change says so and keeps running as it was") {
  Fixture host;
  auto daemon = host.daemon();
  auto text = config_text(host.folder, "interval: 2s\n");
  text.replace(text.find("control.sock"), 12, "elsewhere.sock");
  host.folder.write("monitord.yaml", text);
  auto const changes = daemon.reload().value();
  REQUIRE_FALSE(changes.empty());
  CHECK(changes.back().find("next start") != std::string::npos);
}

TEST_CASE("daemon: a probed destination has its response time in the next cycle's verdict") {
  Fixture host;
  boost::asio::ip::tcp::acceptor const listening(host.io,
                                                 {boost::asio::ip::address_v4::loopback(), 0});
  auto const destination = "127.0.0.1:" + std::to_string(listening.local_endpoint().port());
  host.table.entries = {service("tcp 10.9.9.9:80", "wrr", {{destination, 10}})};
  host.folder.write("monitord.yaml", config_text(host.folder, "defaults: {probe: {type: tcp}}\n"));
  auto daemon = host.daemon();
  daemon.cycle(host.now);
  CHECK(daemon.last_report().probes == ProbeCounters{});
  CHECK_FALSE(daemon.last_report().verdicts.at(0).further.response_s.has_value());

  host.now += 1s;  // where its place in the interval is
  auto const end = std::chrono::steady_clock::now() + 60s;
  do {
    host.io.run_one_for(1s);
    daemon.cycle(host.now);
  } while (daemon.last_report().probes.answered == 0 && std::chrono::steady_clock::now() < end);
  daemon.cycle(host.now);
  CHECK(daemon.last_report().probes == ProbeCounters{.sent = 1, .answered = 1});
  CHECK(daemon.last_report().verdicts.at(0).further.response_s.has_value());
}

TEST_CASE("daemon: cycles are recorded where the configuration says so") {
  Fixture host;
  auto const record = "record: {file: " + host.folder.file("night") + "}\n";
  host.folder.write("monitord.yaml", config_text(host.folder, record));
  {
    auto daemon = host.daemon();
    daemon.cycle(host.now);
    // Somebody rotates the file and sends SIGHUP, which here finds a bad configuration.
    host.folder.write("monitord.yaml", "interval: 2\n");
    CHECK_FALSE(host.asked(daemon, ControlCommand::reload).at("ok").as_bool());
    daemon.cycle(host.now += 2s);
    CHECK(daemon.last_report().notes.size() == 1);  // no keys
  }
  auto const text = host.folder.read("night");
  CHECK(text.find(R"({"t":1000.0,)") == 0);
  CHECK(text.find("\n{\"t\":1002.0,") != std::string::npos);
  CHECK(text.find("\"start\":true") == text.rfind("\"start\":true"));

  host.folder.write("monitord.yaml", config_text(host.folder, ""));
  {
    auto daemon = host.daemon();
    daemon.cycle(host.now += 2s);
    host.folder.write("monitord.yaml", config_text(host.folder, record));
    CHECK(host.asked(daemon, ControlCommand::reload).at("ok").as_bool());
    daemon.cycle(host.now += 2s);
    host.folder.write("monitord.yaml", config_text(host.folder, ""));
    CHECK(host.asked(daemon, ControlCommand::reload).at("ok").as_bool());
    daemon.cycle(host.now += 2s);
  }
  CHECK(host.folder.read("night").find("\"t\":1008.0") == std::string::npos);
}

TEST_CASE("daemon: what happened and how it was is answered on the control socket") {
  Fixture host;
  auto daemon = host.daemon();
  daemon.cycle(host.now);
  daemon.cycle(host.now += 2s);
  Order pause;
  pause.kind = Order::Kind::pause;
  host.answer(daemon, {ControlCommand::order, pause, {}});
  auto const events = host.asked(daemon, ControlCommand::events);
  auto const& list = events.at("result").at("events").as_array();
  REQUIRE_FALSE(list.empty());
  CHECK(list.back().at("event").as_string() == "order");
  CHECK(list.back().at("wall_time").to_number<double>() > 0);

  ControlRequest asked{ControlCommand::history, {}, {}};
  asked.order.service = monitord::testing::service_key("tcp 10.9.9.9:80");
  asked.order.destination = monitord::testing::destination_key("10.0.0.11:80");
  auto const history = json::parse(*host.answer(daemon, asked)).at("result");
  CHECK(history.at("destination").as_string() == "10.0.0.11:80");
  CHECK(history.at("points").as_array().size() == 2);
}

TEST_CASE("daemon: the page shows the last cycle, and a refused reload") {
  Fixture host;
  auto const socket = host.folder.file("http.sock");
  auto text = config_text(host.folder, "");
  text.replace(text.find("none"), 4, socket);
  host.folder.write("monitord.yaml", text);
  auto daemon = host.daemon();
  daemon.start();
  host.folder.write("monitord.yaml", "interval: 2\n");
  CHECK_FALSE(host.asked(daemon, ControlCommand::reload).at("ok").as_bool());
  daemon.cycle(host.now += 2s);

  boost::asio::local::stream_protocol::socket client(host.io);
  client.connect(socket);
  std::string const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  boost::asio::write(client, boost::asio::buffer(request));
  std::string page;
  boost::system::error_code end;
  boost::asio::read(client, boost::asio::dynamic_buffer(page), end);
  CHECK(page.starts_with("HTTP/1.1 200 OK"));
  CHECK(page.find("10.0.0.11:80") != std::string::npos);
  CHECK(page.find("The last reload was refused") != std::string::npos);
  CHECK(daemon.last_report().notes.size() == 1);  // no keys
}
