#pragma once

// keepalived with a service of its own, whose web servers fail and come back.

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "kernel/chaos/operator.hpp"
#include "kernel/process.hpp"
#include "kernel/web_servers.hpp"

namespace lvs::chaos {

class Keeper {
 public:
  static constexpr int servers = 4;
  static constexpr std::uint32_t weight = 50;
  static constexpr auto service = "tcp 10.9.9.10:80";

  /// One web server fails, or is back.
  void flap(Random& random) {
    auto const server = random() % servers;
    auto& failed = failed_.at(server);
    if (failed) {
      webs_.start(static_cast<int>(server));
    } else {
      webs_.stop(static_cast<int>(server));
    }
    failed = !failed;
  }

  /// It takes its service away, and makes it again.
  void stop() { (void)keepalived_.end(SIGTERM); }
  void start() { keepalived_ = started(); }

 private:
  static guest::Process started() {
    std::ofstream out("/run/keepalived.conf");
    out << "virtual_server 10.9.9.10 80 {\n  delay_loop 1\n  lb_algo wlc\n  lb_kind NAT\n"
           "  protocol TCP\n";
    for (int i = 1; i <= servers; ++i) {
      out << "  real_server 10.2.0.1" << i << " 80 {\n    weight " << weight
          << "\n    inhibit_on_failure\n"
             "    TCP_CHECK { connect_timeout 1 retry 1 delay_before_retry 1 }\n  }\n";
    }
    out << "}\n";
    out.close();
    return guest::Process({"/usr/sbin/keepalived", "--dont-fork", "--log-console", "--check",
                           "--use-file", "/run/keepalived.conf"},
                          "/run/keepalived.log");
  }

  guest::WebServers webs_{servers, LVS_BURND};
  std::array<bool, servers> failed_{};
  guest::Process keepalived_{started()};
};

}  // namespace lvs::chaos
