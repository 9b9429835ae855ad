#pragma once

// The sockets that the agent listens on.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "ipvs/types.hpp"
#include "realserver-agent/responder/udp_socket.hpp"

namespace lvs::agent {

class Listeners {
 public:
  using Sockets = std::map<std::pair<ipvs::IpAddress, std::uint16_t>, UdpSocket>;

  /// Listens on these and on nothing else; sockets that are open already stay. On failure, with a
  /// text for people, nothing changes. The wildcard address of a family that the kernel does not
  /// have is passed over as long as another address is left.
  tl::expected<void, std::string> set(const std::vector<ipvs::IpAddress>& addresses,
                                      std::uint16_t port);

  [[nodiscard]] Sockets& sockets() { return sockets_; }

 private:
  Sockets sockets_{};
};

}  // namespace lvs::agent
