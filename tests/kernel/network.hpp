#pragma once

// Real servers' network: a namespace for each, behind a bridge.

#include <string>
#include <vector>

#include "kernel/guest.hpp"

namespace lvs::guest {

/// Network namespaces rs1, rs2, … with 10.2.0.11, .12, …; the director is 10.2.0.1 on the bridge.
/// What the director sends to server i goes through its device v<i>, and what the servers answer to
/// clients goes back through it, as NAT needs it. They end with the kernel.
class Network {
 public:
  explicit Network(int servers) {
    std::string here =
        "link add br0 type bridge\naddr add 10.2.0.1/24 dev br0\nlink set br0 up\n"
        "addr add 10.9.9.9/32 dev lo\n";
    for (int i = 1; i <= servers; ++i)
      here += outside(std::to_string(i));
    batch("", here);
    for (int i = 1; i <= servers; ++i)
      batch("-n rs" + std::to_string(i), inside(std::to_string(i)));
  }

 private:
  static std::string outside(const std::string& n) {
    return "netns add rs" + n + "\nlink add v" + n + " type veth peer name eth0 netns rs" + n +
           "\nlink set v" + n + " master br0 up\n";
  }
  static std::string inside(const std::string& n) {
    return "addr add 10.2.0.1" + n +
           "/24 dev eth0\nlink set eth0 up\nlink set lo up\nroute add default via 10.2.0.1\n";
  }

  /// One program for many commands: to start one costs a lab kernel more than what it does.
  static void batch(const std::string& options, const std::string& commands) {
    must("ip " + options + " -batch - <<'END'\n" + commands + "END\n");
  }
};

inline std::vector<std::string> in_namespace(int server, std::vector<std::string> command) {
  std::vector<std::string> all{"/bin/ip", "netns", "exec", "rs" + std::to_string(server)};
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

}  // namespace lvs::guest
