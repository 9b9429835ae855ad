#pragma once

// A real nginx in front of web servers that the test itself is, with a file that a daemon writes.
// The daemon's clock can be put forward, since nginx is told every 30 seconds only.

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ipvs/fake_table.hpp"
#include "kernel/process.hpp"
#include "monitord/cycle_clock.hpp"
#include "monitord/daemon.hpp"
#include "monitord/logging.hpp"
#include "ports.hpp"
#include "support/catch.hpp"
#include "support/scratch_folder.hpp"
#include "unit/monitord/director.hpp"
#include "web_server.hpp"

namespace lvs::monitord::testing {

/// Lines for nginx.conf. nginx gives the folders that it finds to its user, those of the host's own
/// nginx among them, even in a test of its configuration.
inline std::string temporary_folders(const lvs::testing::ScratchFolder& folder) {
  std::string lines;
  for (auto const* const of : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
    lines += std::string("  ") + of + "_temp_path " + folder.file(of) + ";\n";
  return lines;
}

class NginxWorld {
 public:
  NginxWorld() {
    set_up_log("off");
    std::filesystem::create_directory(folder_.file("up"));
    write_monitord_file();
    write_nginx_file();
  }
  /// Its workers would outlive a master that was killed.
  ~NginxWorld() {
    if (nginx_) kill_nginx();
  }
  NginxWorld(const NginxWorld&) = delete;
  NginxWorld& operator=(const NginxWorld&) = delete;

  void start_monitord() {
    auto const file = folder_.file("monitord.yaml");
    journal_.emplace(folder_.file("state"));
    Daemon::Parts parts{kernel_, *journal_, nullptr, [this] { return boottime_now() + ahead_; },
                        [] { return 1; }};
    daemon_ = std::make_unique<Daemon>(io_, Daemon::Source{file, {}, "1.2.3"},
                                       read_configuration(file, {}).value(), std::move(parts),
                                       journal_->open().value());
    daemon_->start();
  }
  /// With no time to say goodbye.
  void kill_monitord() { daemon_.reset(); }
  Daemon& monitord() { return *daemon_; }
  [[nodiscard]] const ReloadCounters& reloads() const {
    return daemon_->last_report().outputs.reloads;
  }

  void start_nginx() {
    nginx_.emplace(
        guest::Process({"/usr/sbin/nginx", "-e", "stderr", "-c", folder_.file("nginx.conf")},
                       folder_.file("nginx.log")));
    CAPTURE(log());
    REQUIRE(within(30s, [this] { return get().has_value(); }));
  }
  void kill_nginx() {
    (void)nginx_->end(SIGTERM);
    nginx_.reset();
  }
  [[nodiscard]] std::string log() const { return folder_.read("nginx.log"); }

  /// Both of them, and nginx knows the weights.
  void start() {
    start_monitord();
    // nginx does not start before the file is there; the first reload fails for want of an nginx.
    REQUIRE(within(30s, [this] { return !upstream().empty(); }));
    start_nginx();
    skip_interval();
    REQUIRE(within(30s, [this] { return reloads().reloaded == 1; }));
  }

  /// What nginx may be told is told in the next cycle.
  void skip_interval() { ahead_ += 30s; }

  /// Lets time pass for the daemon and the web servers as well.
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

  /// A request to nginx that is under way.
  class Request {
   public:
    Request(boost::asio::io_context& io, unsigned port) : socket_(io) {
      error_code failure;
      socket_.connect({boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)},
                      failure);
      if (!failure) boost::asio::write(socket_, boost::asio::buffer(question), failure);
      if (!failure) socket_.non_blocking(true, failure);
      ended_ = bool(failure);
    }
    [[nodiscard]] bool ended() {
      while (!ended_) {
        error_code failure;
        auto const size = socket_.read_some(boost::asio::buffer(block_), failure);
        if (failure == boost::asio::error::would_block) return false;
        answer_.append(block_.data(), size);
        ended_ = bool(failure);
      }
      return true;
    }
    /// The body; nothing when it is not a good answer.
    [[nodiscard]] std::optional<std::string> body() const {
      auto const head = answer_.find("\r\n\r\n");
      if (!answer_.starts_with("HTTP/1.1 200 ") || head == std::string::npos) return std::nullopt;
      return answer_.substr(head + 4);
    }

   private:
    using error_code = boost::system::error_code;
    static constexpr std::string_view question =
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    boost::asio::ip::tcp::socket socket_;
    std::array<char, 4096> block_{};
    std::string answer_{};
    bool ended_{};
  };
  Request request() { return {io_, frontend_}; }

  std::optional<std::string> get() {
    auto one = request();
    auto const end = std::chrono::steady_clock::now() + 30s;
    while (!one.ended() && std::chrono::steady_clock::now() < end)
      pass(1ms);
    return one.body();
  }
  /// Who answered how many of so many requests.
  std::map<std::string, int> shares(int count) {
    std::map<std::string, int> answers;
    for (int i = 0; i < count; ++i)
      ++answers[get().value_or("none")];
    return answers;
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

  [[nodiscard]] std::string s1() const { return "127.0.0.1:" + std::to_string(first.port()); }
  [[nodiscard]] std::string s2() const { return "127.0.0.1:" + std::to_string(second.port()); }
  [[nodiscard]] std::string upstream() const { return folder_.read("up/web.conf"); }
  /// Something in nginx.conf that is none of monitord's.
  void write_nginx_file(const std::string& more = "") const {
    folder_.write("nginx.conf",
                  "daemon off;\nuser root;\nworker_processes 1;\nerror_log stderr;\npid " +
                      folder_.file("nginx.pid") + ";\n" + more +
                      "events { worker_connections 256; }\nhttp {\n  access_log off;\n" +
                      temporary_folders(folder_) + "  upstream web { include " +
                      folder_.file("up/web.conf") + "; }\n" +
                      "  server {\n    listen 127.0.0.1:" + std::to_string(frontend_) +
                      ";\n    location / { proxy_pass http://web; }\n  }\n}\n");
  }

 private:
  void write_monitord_file() const {
    auto const nginx = "[/usr/sbin/nginx, -e, stderr, -c, " + folder_.file("nginx.conf");
    folder_.write("monitord.yaml",
                  "dry_run: false\ninterval: 500ms\nagent: {deadline: 200ms, keys: " +
                      folder_.file("keys.yaml") + "}\nstate: {file: " + folder_.file("state") +
                      "}\ncontrol: {socket: " + folder_.file("control.sock") +
                      "}\nhttp: {listen: none}\nlog: {level: error}\nservices: []\n" +
                      "outputs: {nginx: {test: " + nginx + ", -t, -q], reload: " + nginx +
                      ", -s, reload]}}\npools:\n  - pool: web\n    output: nginx\n" +
                      "    strategy: headroom\n    file: " + folder_.file("up/web.conf") +
                      "\n    servers:\n      - {destination: \"" + s1() +
                      "\", base: 100}\n      - {destination: \"" + s2() + "\", base: 50}\n");
  }

  lvs::testing::ScratchFolder folder_{};
  boost::asio::io_context io_{};

 public:
  WebServer first{io_, "s1"}, second{io_, "s2"};

 private:
  ipvs::FakeTable kernel_{};
  unsigned frontend_{free_port(io_)};
  Moment ahead_{};
  std::optional<StateJournal> journal_{};
  std::unique_ptr<Daemon> daemon_{};
  std::optional<guest::Process> nginx_{};
};

}  // namespace lvs::monitord::testing
