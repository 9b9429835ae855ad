// What happens to the kernel's table under monitord's feet: flushed, made anew, its counters zeroed
// or frozen. Real connections through the director, web servers in namespaces.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "kernel/director.hpp"
#include "kernel/guest.hpp"
#include "kernel/machines.hpp"
#include "kernel/network.hpp"
#include "kernel/process.hpp"
#include "kernel/settings.hpp"
#include "kernel/web_servers.hpp"
#include "plainfile/file_descriptor.hpp"
#include "support/catch.hpp"

using namespace std::chrono_literals;
using namespace lvs::guest;

namespace {

constexpr auto web1 = "10.2.0.11:80";

std::string settings() {
  Settings settings;
  settings.defaults = "min_write_interval: 500ms";
  settings.servers = agents_on_loopback(2);
  return settings_text(settings);
}

void make_service() {
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wlc\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 10\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 10\n");
}

/// Clients on the director itself: the servers answer it directly, so nothing is to be routed.
class Traffic {
 public:
  Traffic() {
    thread_ = std::thread([this] {
      while (!stopped_) {
        ask();
        std::this_thread::sleep_for(20ms);
      }
    });
  }
  ~Traffic() {
    stopped_ = true;
    thread_.join();
  }
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

 private:
  /// One connection, one request, closed by the server; whether it went well is nobody's concern.
  static void ask() {
    lvs::FileDescriptor const socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    timeval const patience{.tv_sec = 1, .tv_usec = 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in vip{};
    vip.sin_family = AF_INET;
    vip.sin_port = htons(80);
    ::inet_pton(AF_INET, "10.9.9.9", &vip.sin_addr);
    const void* const generic = &vip;
    if (::connect(socket.get(), static_cast<const sockaddr*>(generic), sizeof vip) != 0) return;
    constexpr std::string_view request = "GET / HTTP/1.0\r\n\r\n";
    if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return;
    std::array<char, 512> some{};
    while (::recv(socket.get(), some.data(), some.size(), 0) > 0) {
    }
  }

  std::atomic<bool> stopped_{};
  std::thread thread_{};
};

struct Served {
  Served() {
    make_service();
    monitord = std::make_unique<Process>(start_monitord(settings()));
    REQUIRE(within(20s, [] { return is_fresh(web1); }));
    traffic = std::make_unique<Traffic>();
    REQUIRE(within(20s, [] { return new_connections() > 0; }));
  }

  static std::uint64_t new_connections() {
    auto const value = field(web1, "new_connections");
    return value.is_null() ? 0 : value.to_number<std::uint64_t>();
  }

  Network network{2};
  WebServers webs{2, LVS_BURND};
  Machines machines{2, LVS_AGENT, LVS_MONITORCTL};
  std::unique_ptr<Process> monitord{};
  std::unique_ptr<Traffic> traffic{};
};

}  // namespace

TEST_CASE("events: a flushed table is a table without services, and one made anew has new bases") {
  Served const served;
  must("ipvsadm -C");
  REQUIRE(within(10s, [] { return destination(web1).empty(); }));
  CHECK(number("cycle") > 0);
  ipvsadm_restore(
      "-A -t 10.9.9.9:80 -s wlc\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 7\n"
      "-a -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 10\n");
  CHECK(within(10s, [] { return base(web1) == 7; }));
}

TEST_CASE("events: zeroed counters are a reset and no flood") {
  Served const served;
  std::uint64_t most = 0;
  for (int round = 0; round < 5; ++round) {
    must("ipvsadm -Z");
    REQUIRE(cycles_pass(3));
    most = std::max(most, Served::new_connections());
  }
  CHECK(most < 1000);  // a difference that wrapped would be 2^64
  CHECK(number("foreign_edits") == 0);
}

TEST_CASE(
    "events: counters that the kernel does not renew are noticed, and what is there is held") {
  Served const served;
  must("sysctl -w net.ipv4.vs.run_estimation=0");
  CHECK(within(30s, [] { return outcome(web1) == "counters_frozen"; }));
  must("sysctl -w net.ipv4.vs.run_estimation=1");
  CHECK(within(30s, [] { return outcome(web1) != "counters_frozen"; }));
}
