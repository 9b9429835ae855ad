#pragma once

// What the tests of monitord beside another program that owns the table have in common: a pool of
// three servers whose load the test sets, and what is to be seen of it.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "kernel/director.hpp"
#include "kernel/machines.hpp"
#include "kernel/settings.hpp"
#include "kernel/web_servers.hpp"
#include "support/catch.hpp"

namespace lvs::guest {

inline const std::string web1 = "10.2.0.11:80", web2 = "10.2.0.12:80", web3 = "10.2.0.13:80",
                         sorry = "10.2.0.14:80";

/// `of_web1` goes into the entry of the first server.
inline std::string beside_settings(const std::string& of_web1 = "") {
  Settings settings;
  settings.hold_polls = "12";
  settings.defaults += ", slow_start: 0s";
  settings.servers = server_line("10.2.0.11", 1, ", agent: 127.0.0.11" + of_web1) +
                     server_line("10.2.0.12", 2, ", agent: 127.0.0.12") +
                     server_line("10.2.0.13", 3, ", agent: 127.0.0.13");
  return settings_text(settings);
}

/// Four web servers (the fourth is nobody's agent), three agents, and monitord once the neighbour
/// has made its pool. Everything waits for what it needs; nothing depends on how long that takes.
class Beside {
 public:
  explicit Beside(std::string settings) : settings_(std::move(settings)) {}

  /// Whatever the table holds by then.
  void start_monitord() { monitord_ = std::make_unique<Process>(guest::start_monitord(settings_)); }

  void start_monitord_with_pool() {
    REQUIRE(within(std::chrono::seconds(120), [] {
      auto const pool = weights();
      return pool.size() == 3 &&
             std::ranges::all_of(pool, [](auto const& one) { return one.second == 10; });
    }));
    start_monitord();
    CAPTURE(monitord_log(), text_of("/proc/loadavg"));
    for (auto const& server : {web1, web2, web3})
      REQUIRE(within(std::chrono::seconds(30), [&] { return is_fresh(server); }));
  }

  /// With no time to say goodbye.
  void restart_monitord() {
    (void)monitord_->end(SIGKILL);
    start_monitord();
    (void)cycle_now();
  }

  /// Of server i, counted from 0, in percent.
  void set_load(int server, int percent) { machines_[server].busy_percent = percent; }

  /// monitord steers: server i's weight falls below `limit` when it gets busy.
  void check_that_load_lowers(int server, const std::string& destination, std::uint32_t limit) {
    set_load(server, 95);
    CAPTURE(destination, monitord_log());
    bool const lowered = within(std::chrono::seconds(30), [&] {
      auto const now = weight_if_there(destination);
      return now && *now > 0 && *now < limit;
    });
    CAPTURE(answer_to("{\"command\":\"status\"}\n"), text_of("/proc/loadavg"));
    CHECK(lowered);
    set_load(server, 10);
  }

  /// What the kernel's weight of a destination was while so many cycles passed and every load
  /// changed all the time. -1: it was not in the table.
  std::set<std::int64_t> weights_seen(const std::string& destination, std::uint64_t cycles) {
    std::set<std::int64_t> seen;
    auto const until = cycle_now() + cycles;
    for (int step = 0; cycle_now() < until; ++step) {
      REQUIRE(step < 4000);
      for (int server = 0; server < 3; ++server)
        set_load(server, 5 + (step * 37 + server * 41) % 90);
      seen.insert(weight_or_absent(destination));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      seen.insert(weight_or_absent(destination));
    }
    for (int server = 0; server < 3; ++server)
      set_load(server, 10);
    return seen;
  }

  WebServers& webs() { return webs_; }

 private:
  static std::int64_t weight_or_absent(const std::string& destination) {
    auto const now = weight_if_there(destination);
    return now ? static_cast<std::int64_t>(*now) : -1;
  }

  std::string settings_;
  Network network_{4};
  Machines machines_{3, LVS_AGENT, LVS_MONITORCTL};
  WebServers webs_{4, LVS_BURND};
  std::unique_ptr<Process> monitord_{};
};

}  // namespace lvs::guest
