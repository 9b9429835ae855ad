#pragma once

// A real PowerDNS with the settings that docs/OUTPUTS.md tells to write, a daemon that it asks, and
// dig, which asks it.

#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "ipvs/fake_table.hpp"
#include "kernel/process.hpp"
#include "monitord/cycle_clock.hpp"
#include "monitord/daemon.hpp"
#include "monitord/logging.hpp"
#include "monitord/outputs/command.hpp"
#include "ports.hpp"
#include "support/catch.hpp"
#include "support/fenced_blocks.hpp"
#include "support/scratch_folder.hpp"
#include "unit/monitord/director.hpp"

namespace lvs::monitord::testing {

class DnsWorld {
 public:
  /// `of_pool` goes into the pool of monitord.yaml.
  explicit DnsWorld(const std::string& of_pool = "") {
    set_up_log("off");
    write_monitord_file(of_pool);
    write_powerdns_file();
  }

  void start() {
    start_monitord();
    start_powerdns();
  }
  void start_monitord() {
    auto const file = folder_.file("monitord.yaml");
    journal_.emplace(folder_.file("state"));
    Daemon::Parts parts{kernel_, *journal_, nullptr, boottime_now, [] { return 1; }};
    daemon_ = std::make_unique<Daemon>(io_, Daemon::Source{file, {}, "1.2.3"},
                                       read_configuration(file, {}).value(), std::move(parts),
                                       journal_->open().value());
    daemon_->start();
  }
  /// With no time to say goodbye.
  void kill_monitord() { daemon_.reset(); }
  Daemon& monitord() { return *daemon_; }

  void start_powerdns() {
    powerdns_.emplace(guest::Process({"/usr/sbin/pdns_server", "--config-dir=" + folder_.path()},
                                     folder_.file("pdns.log")));
    CAPTURE(log());
    REQUIRE(within(30s, [this] { return !short_answers({"lb.example.org SOA"}).empty(); }));
  }
  void kill_powerdns() { (void)powerdns_->end(SIGKILL); }
  [[nodiscard]] std::string log() const { return folder_.read("pdns.log"); }

  /// Lets time pass for the daemon as well.
  bool within(std::chrono::seconds limit, const std::function<bool()>& holds) {
    auto const end = std::chrono::steady_clock::now() + limit;
    while (std::chrono::steady_clock::now() < end) {
      if (holds()) return true;
      pass(20ms);
    }
    return holds();
  }
  void pass(std::chrono::milliseconds time) {
    io_.restart();
    io_.run_for(time);
  }

  /// What dig writes, with the daemon running beside it.
  std::string dig(const std::vector<std::string>& words) {
    std::vector<std::string> all{"/usr/bin/dig", "@127.0.0.1", "-p",     port(),
                                 "+tries=1",     "+time=5",    "+nocmd", "+nocomments"};
    all.insert(all.end(), words.begin(), words.end());
    std::optional<std::string> output;
    auto const asking = std::make_shared<Command>(
        io_, [&](const CommandResult& result) { output = result.output; });
    asking->start(all, 60s);
    while (!output)
      pass(5ms);
    return *output;
  }
  /// The status of a question: "NOERROR", "NXDOMAIN", …
  std::string status(const std::string& name, const std::string& type = "A") {
    auto const text = dig({"+comments", name, type});
    auto const at = text.find("status: ");
    return at == std::string::npos ? "none" : text.substr(at + 8, text.find(',', at) - at - 8);
  }
  /// The contents of the answers to questions ("NAME TYPE"), a line each, in their order.
  std::vector<std::string> short_answers(const std::vector<std::string>& questions) {
    std::string lines;
    for (auto const& question : questions)
      lines += question + "\n";
    std::istringstream output(dig({"+short", "-f", folder_.write("questions", lines)}));
    std::vector<std::string> answers;
    for (std::string line; std::getline(output, line);) {
      if (!line.starts_with(";")) answers.push_back(line);
    }
    return answers;
  }
  /// Which address came how often.
  std::map<std::string, int> shares(const std::string& question, int count) {
    std::map<std::string, int> counts;
    for (auto const& answer :
         short_answers(std::vector<std::string>(static_cast<std::size_t>(count), question)))
      ++counts[answer];
    return counts;
  }

  bool order(Order::Kind kind, const std::string& destination, std::uint32_t weight = 0) {
    Order wanted;
    wanted.kind = kind;
    wanted.service = service_key("pool web");
    wanted.destination = destination_key(destination);
    wanted.weight = weight;
    ControlServer::Answer answer;  // of an order at once
    daemon_->answer({ControlCommand::order, wanted, {}},
                    [&](ControlServer::Answer text) { answer = std::move(text); });
    return answer && boost::json::parse(*answer).at("ok").as_bool();
  }
  /// Has the order reached a cycle?
  void cycles_pass(std::uint64_t count) {
    auto const before = daemon_->last_report().cycle;
    REQUIRE(within(30s, [&] { return daemon_->last_report().cycle >= before + count; }));
  }

  static constexpr auto s1 = "127.0.0.11:80";
  static constexpr auto s2 = "127.0.0.12:80";
  static constexpr auto s6 = "[::1]:80";

 private:
  [[nodiscard]] std::string port() const { return std::to_string(port_); }

  void write_monitord_file(const std::string& of_pool) const {
    folder_.write("monitord.yaml",
                  "dry_run: false\ninterval: 500ms\nagent: {deadline: 200ms, keys: " +
                      folder_.file("keys.yaml") + "}\nstate: {file: " + folder_.file("state") +
                      "}\ncontrol: {socket: " + folder_.file("control.sock") +
                      "}\nhttp: {listen: none}\nlog: {level: error}\nservices: []\noutputs:\n" +
                      "  dns: {zone: lb.example.org, nameservers: [ns1.example.org, " +
                      "ns2.example.org], socket: " + folder_.file("dns.sock") +
                      "}\npools:\n  - pool: web\n    output: dns\n    strategy: headroom\n" +
                      of_pool + "    servers:\n      - {destination: \"" + s1 +
                      "\", base: 100}\n      - {destination: \"" + s2 +
                      "\", base: 100}\n      - {destination: \"" + s6 + "\", base: 100}\n");
  }
  /// What the document has, with another socket, and what keeps it off the host's own name server.
  void write_powerdns_file() const {
    auto const blocks = lvs::testing::fenced_blocks(
        lvs::testing::text_of_file(LVS_SOURCE_DIR "/docs/OUTPUTS.md"), "pdns");
    REQUIRE(blocks.size() == 1);
    auto text = blocks.front();
    constexpr std::string_view socket = "/run/monitord/dns.sock";
    REQUIRE(text.find(socket) != std::string::npos);
    text.replace(text.find(socket), socket.size(), folder_.file("dns.sock"));
    folder_.write("pdns.conf", text + "\nlocal-address=127.0.0.1\nlocal-port=" + port() +
                                   "\nsocket-dir=" + folder_.path() +
                                   "\nsecurity-poll-suffix=\ndaemon=no\nguardian=no\n" +
                                   "write-pid=no\ndisable-syslog=yes\n");
  }

  lvs::testing::ScratchFolder folder_{};
  boost::asio::io_context io_{};
  ipvs::FakeTable kernel_{};
  unsigned port_{free_port(io_)};
  std::optional<StateJournal> journal_{};
  std::unique_ptr<Daemon> daemon_{};
  std::optional<guest::Process> powerdns_{};
};

}  // namespace lvs::monitord::testing
