// `monitorctl list` against `ipvsadm -Ln` of the same kernel: whole outputs, byte for byte.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "guest.hpp"
#include "many_services.hpp"
#include "support/catch.hpp"

using lvs::guest::build_table;
using lvs::guest::must;
using lvs::guest::run;
using lvs::guest::service_of;

namespace {

const std::string monitorctl = LVS_MONITORCTL;

const std::vector<std::string> column_options{"",
                                              "--stats",
                                              "--stats --exact",
                                              "--rate",
                                              "--rate --exact",
                                              "--thresholds",
                                              "--persistent-conn",
                                              "--tun-info",
                                              "--nosort",
                                              "--nosort --stats"};

/// Counters move every 2 s: compares within a moment in which ipvsadm says the same twice.
void compare(const std::string& options) {
  INFO("options: " << options);
  for (int attempt = 0; attempt < 20; ++attempt) {
    const auto before = run("ipvsadm -Ln " + options);
    const auto ours = run(monitorctl + " list -n " + options);
    const auto after = run("ipvsadm -Ln " + options);
    if (before.output != after.output) continue;
    REQUIRE(ours.exit_code == before.exit_code);
    REQUIRE(ours.output == before.output);
    return;
  }
  FAIL("the table never stood still");
}

/// A listener on 127.0.0.1:8080 that answers every connection with 100 kB and closes it.
class Server {
 public:
  Server() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const int on = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    const auto address = endpoint("127.0.0.1", 8080);
    REQUIRE(::bind(socket_, generic(address), sizeof(address)) == 0);
    REQUIRE(::listen(socket_, 64) == 0);
    thread_ = std::thread([this] { serve(); });
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }

  /// Connects over the virtual service and reads all of the answer.
  static bool fetch(const char* address, std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const auto target = endpoint(address, port);
    std::size_t received = 0;
    if (::connect(socket, generic(target), sizeof(target)) == 0) {
      std::array<char, 65536> part{};
      for (auto count = ::recv(socket, part.data(), part.size(), 0); count > 0;
           count = ::recv(socket, part.data(), part.size(), 0)) {
        received += static_cast<std::size_t>(count);
      }
    }
    ::close(socket);
    return received == answer_size;
  }

 private:
  static constexpr std::size_t answer_size = 100'000;

  static sockaddr_in endpoint(const char* address, std::uint16_t port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_port = htons(port);
    ::inet_pton(AF_INET, address, &made.sin_addr);
    return made;
  }
  static const sockaddr* generic(const sockaddr_in& address) {
    return static_cast<const sockaddr*>(static_cast<const void*>(&address));
  }

  void serve() const {
    const std::string answer(answer_size, 'x');
    while (true) {
      const int client = ::accept(socket_, nullptr, nullptr);
      if (client < 0) return;
      ::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
      ::close(client);
    }
  }

  int socket_;
  std::thread thread_{};
};

/// Until the kernel's estimator has counted: `--stats` shows connections.
bool counted(const std::string& service) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < until) {
    const auto line = must("ipvsadm -Ln --stats " + service + " | grep ^TCP | tr -s ' '");
    if (line.find(" 0 0 0 0 0") == std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

}  // namespace

TEST_CASE("list: three hundred services of all kinds come out as from ipvsadm") {
  constexpr int services = 300;
  build_table(services);
  const auto listed = must("ipvsadm -Ln");
  REQUIRE(std::count(listed.begin(), listed.end(), '\n') == 3 + 5 * services);
  for (const auto& options : column_options)
    compare(options);
}

TEST_CASE("list: one service of each kind comes out as from ipvsadm") {
  build_table(30);
  for (int index = 0; index < 10; ++index) {
    for (const auto& options : {"", "--thresholds"}) {
      compare(service_of(index) + " " + options);
    }
  }
}

TEST_CASE("list: counters and rates of real connections come out as from ipvsadm") {
  must("ip link set lo up; ip addr add 10.99.0.1/32 dev lo");
  must("ipvsadm -C; ipvsadm -A -t 10.99.0.1:80 -s wrr; ipvsadm -A -t 10.99.0.1:81 -s wlc -p 300");
  must("ipvsadm -a -t 10.99.0.1:80 -r 127.0.0.1:8080 -m -w 3");
  must("ipvsadm -a -t 10.99.0.1:81 -r 127.0.0.1:8080 -m -w 3");
  const Server server;
  for (int number = 0; number < 20; ++number) {
    REQUIRE(Server::fetch("10.99.0.1", 80));
    REQUIRE(Server::fetch("10.99.0.1", 81));
  }
  REQUIRE(counted("-t 10.99.0.1:80"));
  REQUIRE(counted("-t 10.99.0.1:81"));
  for (const auto& options : column_options)
    compare(options);
  CHECK(must("ipvsadm -Ln --persistent-conn -t 10.99.0.1:81 | tail -1 | tr -s ' '") !=
        must("ipvsadm -Ln --persistent-conn -t 10.99.0.1:80 | tail -1 | tr -s ' '"));
}

TEST_CASE("list: an empty table and an unknown service are what they are with ipvsadm") {
  must("ipvsadm -C");
  compare("");
  compare("--stats");
  const auto ours = run(monitorctl + " -Ln -t 10.9.9.9:80");
  CHECK(ours.exit_code == run("ipvsadm -Ln -t 10.9.9.9:80").exit_code);
  CHECK(ours.output == "monitorctl: No such service: tcp 10.9.9.9:80\n");
}

TEST_CASE("list: without rights the same services are read from proc") {
  must(
      "ipvsadm -C; ipvsadm -A -t 10.9.9.9:80 -s wrr; ipvsadm -a -t 10.9.9.9:80 -r 10.0.0.11:80 -m "
      "-w 7");
  must("ipvsadm -A -f 7 -6 -s rr; ipvsadm -a -f 7 -6 -r [fd00::11]:0 -g");
  const std::string nobody = "setpriv --reuid 65534 --clear-groups " + monitorctl;
  CHECK(must(nobody + " list 2>/dev/null") == must("ipvsadm -Ln"));
  CHECK(must(nobody + " list -f 7 -6 2>/dev/null") == must("ipvsadm -Ln -f 7 -6"));
  CHECK(must(nobody + " list 2>&1 >/dev/null").find("without CAP_NET_ADMIN") != std::string::npos);
  CHECK(run(nobody + " list --stats").exit_code == 1);
  CHECK(run(nobody + " list -t 10.9.9.8:80").exit_code == 1);
}

TEST_CASE("list: without a daemon the wide table still has the kernel's columns") {
  must(
      "ipvsadm -C; ipvsadm -A -t 10.9.9.9:80 -s wrr; ipvsadm -a -t 10.9.9.9:80 -r 10.0.0.11:80 -m "
      "-w 7");
  const auto wide = run(monitorctl + " list --wide --socket /nonexistent 2>/dev/null");
  CHECK(wide.exit_code == 0);
  CHECK(wide.output.find("  -> 10.0.0.11:80                 Masq         7      -") !=
        std::string::npos);
  CHECK(must(monitorctl + " list --wide --socket /nonexistent 2>&1 >/dev/null")
            .find("monitord is not reachable at /nonexistent") != std::string::npos);
}

TEST_CASE("list: --sort KEY sorts the destinations, and without a daemon says so") {
  must("ipvsadm -C; ipvsadm -A -t 10.9.9.9:80 -s wrr");
  must("ipvsadm -a -t 10.9.9.9:80 -r 10.0.0.11:80 -m -w 3");
  must("ipvsadm -a -t 10.9.9.9:80 -r 10.0.0.12:80 -m -w 9");
  const auto weights = must(monitorctl + " list --sort weight");
  CHECK(weights.find("10.0.0.12") < weights.find("10.0.0.11"));
  CHECK(must(monitorctl + " list --sort") == must("ipvsadm -Ln"));
  const auto cpu = run(monitorctl + " list --sort cpu --socket /nonexistent");
  CHECK(cpu.exit_code == 0);
  CHECK(cpu.output.find("not sorted: only monitord knows that order") != std::string::npos);
  CHECK(must(monitorctl + " list --sort cpu --socket /nonexistent 2>/dev/null") ==
        must("ipvsadm -Ln"));
}
