#pragma once

// A real HAProxy in front of servers that the test itself is, with the agent-check lines that
// docs/OUTPUTS.md tells to write, and a daemon that it asks.

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ipvs/fake_table.hpp"
#include "kernel/process.hpp"
#include "monitord/cycle_clock.hpp"
#include "monitord/daemon.hpp"
#include "monitord/logging.hpp"
#include "monitord/outputs/haproxy_stats.hpp"
#include "ports.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "unit/monitord/director.hpp"

namespace lvs::monitord::testing {

using boost::asio::ip::tcp;
using boost::system::error_code;

/// Takes connections and keeps them open.
class Backend {
 public:
  explicit Backend(boost::asio::io_context& io)
      : acceptor_(io, {boost::asio::ip::address_v4::loopback(), 0}) {
    accept();
  }
  [[nodiscard]] unsigned port() const { return acceptor_.local_endpoint().port(); }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code failure, tcp::socket socket) {
      if (failure) return;
      sockets_.push_back(std::move(socket));
      accept();
    });
  }

  tcp::acceptor acceptor_;
  std::list<tcp::socket> sockets_{};
};

class World {
 public:
  /// `of_s1` goes behind the line of the first server in haproxy.cfg, `of_pool` into the pool.
  explicit World(std::string of_s1 = "", std::string of_pool = "    strategy: headroom\n")
      : of_s1_(std::move(of_s1)) {
    set_up_log("off");
    write_monitord_file(of_pool);
    write_haproxy_file();
    start_haproxy();
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

  void start_haproxy() {
    haproxy_.emplace(guest::Process({"/usr/sbin/haproxy", "-db", "-f", folder_.file("haproxy.cfg")},
                                    folder_.file("haproxy.log")));
    CAPTURE(log());
    REQUIRE(within(30s, [this] { return stats("s1").has_value(); }));
  }
  void kill_haproxy() { (void)haproxy_->end(SIGKILL); }
  [[nodiscard]] std::string log() const { return folder_.read("haproxy.log"); }

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

  /// What HAProxy's stats socket answers; empty while it cannot be reached.
  std::string command(const std::string& line) {
    boost::asio::local::stream_protocol::socket socket(io_);
    error_code failure;
    socket.connect({folder_.file("admin.sock")}, failure);
    if (failure) return "";
    boost::asio::write(socket, boost::asio::buffer(line + "\n"), failure);
    std::string answer;
    std::array<char, 4096> block{};
    while (!failure) {
      auto const size = socket.read_some(boost::asio::buffer(block), failure);
      answer.append(block.data(), size);
    }
    return answer;
  }
  std::optional<ServerStats> stats(const std::string& server) {
    auto const all = stats_from_csv(command("show stat -1 4 -1"));
    if (!all) return std::nullopt;
    for (auto const& one : *all) {
      if (one.backend == "be" && one.server == server) return one;
    }
    return std::nullopt;
  }
  std::uint32_t weight(const std::string& server) {
    auto const found = stats(server);
    return found && found->weight ? *found->weight : 9999;
  }
  std::string status(const std::string& server) {
    auto const found = stats(server);
    return found ? found->status : "";
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

  /// A client that stays connected through the frontend.
  void connect_client() {
    clients_.emplace_back(io_).connect(
        {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(frontend_)});
  }

  static constexpr auto s1 = "127.0.0.11:80";
  static constexpr auto s2 = "127.0.0.12:80";

 private:
  void write_monitord_file(const std::string& of_pool) const {
    folder_.write(
        "monitord.yaml",
        "dry_run: false\ninterval: 500ms\nagent: {deadline: 200ms, keys: " +
            folder_.file("keys.yaml") + "}\nstate: {file: " + folder_.file("state") +
            "}\ncontrol: {socket: " + folder_.file("control.sock") +
            "}\nhttp: {listen: none}\nlog: {level: error}\nservices: []\noutputs: {haproxy: "
            "{listen: \"127.0.0.1:" +
            std::to_string(agent_) + "\"}}\npools:\n  - pool: web\n    output: haproxy\n" +
            "    backend: be\n" + with_socket(of_pool) + "    servers:\n" +
            "      - {name: s1, destination: \"127.0.0.11:80\", base: 100}\n"
            "      - {name: s2, destination: \"127.0.0.12:80\", base: 50}\n");
  }
  [[nodiscard]] std::string with_socket(std::string text) const {
    auto const mark = text.find("SOCKET");
    if (mark != std::string::npos) text.replace(mark, 6, folder_.file("admin.sock"));
    return text;
  }
  void write_haproxy_file() const {
    folder_.write("haproxy.cfg",
                  "global\n  stats socket " + folder_.file("admin.sock") +
                      " mode 600 level admin\n"
                      "defaults\n  mode tcp\n  timeout connect 1s\n  timeout client 30s\n"
                      "  timeout server 30s\n"
                      "frontend fe\n  bind 127.0.0.1:" +
                      std::to_string(frontend_) +
                      "\n  default_backend be\n"
                      "backend be\n  balance roundrobin\n" +
                      server_line("s1", first_.port(), 100) + of_s1_ + "\n" +
                      server_line("s2", second_.port(), 50) + "\n" +
                      server_line("s3", second_.port(), 100) + "\n");
  }
  /// s3 is in no pool of monitord's.
  [[nodiscard]] std::string server_line(const std::string& name, unsigned port, int weight) const {
    return "  server " + name + " 127.0.0.1:" + std::to_string(port) + " weight " +
           std::to_string(weight) + " agent-check agent-addr 127.0.0.1 agent-port " +
           std::to_string(agent_) + " agent-inter 200ms agent-send \"be/" + name + "\\n\"";
  }

  lvs::testing::ScratchFolder folder_{};
  std::string of_s1_;
  boost::asio::io_context io_{};
  ipvs::FakeTable kernel_{};
  Backend first_{io_}, second_{io_};
  unsigned agent_{free_port(io_)};
  unsigned frontend_{free_port(io_)};
  std::optional<StateJournal> journal_{};
  std::unique_ptr<Daemon> daemon_{};
  std::list<tcp::socket> clients_{};
  std::optional<guest::Process> haproxy_{};
};

}  // namespace lvs::monitord::testing
