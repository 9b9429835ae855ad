#pragma once

// /proc/net/dev (proc(5)): bytes per network interface.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "agentproto/sample.hpp"
#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// One interface, with what /sys/class/net/NAME says beside the counters.
struct Interface {
  std::string name{};
  std::uint64_t received_bytes{}, sent_bytes{};
  bool physical{};             ///< has a `device` link: no bridge, bond, VLAN, tunnel, veth
  std::uint64_t speed_mbit{};  ///< 0: unknown (no link, virtual)

  friend bool operator==(const Interface&, const Interface&) = default;
};

/// Names and counters only.
tl::expected<std::vector<Interface>, ParseError> interfaces_from_text(std::string_view text);

/// Sum of the physical interfaces: what crosses a bond or bridge is counted once. Where nothing is
/// physical (a container) all interfaces but the loopback one.
agentproto::Network network_from_interfaces(const std::vector<Interface>& interfaces);

}  // namespace lvs::agent
