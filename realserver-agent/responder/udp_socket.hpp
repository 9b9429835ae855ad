#pragma once

// A bound UDP socket that knows which of the host's addresses a datagram was sent to and answers
// from that one: on a real server with direct routing the virtual address sits on lo, and a reply
// from another address than the one asked would be nobody's.

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "agentproto/key.hpp"
#include "ipvs/types.hpp"

namespace lvs::agent {

/// Where a datagram came from and where it was sent to.
struct Peer {
  ipvs::IpAddress source{};
  ipvs::IpAddress asked{};
  sockaddr_storage address{};  ///< for the way back: with port and, if link-local, the interface
};

/// Threading: one thread. Errors: errno values.
class UdpSocket {
 public:
  /// Non-blocking. `address` may be all zero, and may not be configured yet (IP_FREEBIND): the
  /// agent may start before the network. Port 0: any, for tests.
  static tl::expected<UdpSocket, int> bind(const ipvs::IpAddress& address, std::uint16_t port);

  UdpSocket(UdpSocket&& other) noexcept;
  UdpSocket& operator=(UdpSocket&& other) noexcept;
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;
  ~UdpSocket();

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::uint16_t port() const;

  /// The next datagram, or nothing if there is none. The bytes are valid until the next call; of a
  /// datagram longer than the buffer only its start is there, still longer than any request.
  struct Received {
    agentproto::Bytes bytes{};
    Peer peer{};
  };
  std::optional<Received> receive();
  /// False when the kernel would not take it: UDP may lose datagrams anywhere.
  bool send(agentproto::Bytes bytes, const Peer& to) const;

 private:
  explicit UdpSocket(int fd) : fd_{fd} {}

  int fd_;
  std::array<std::uint8_t, 1024> buffer_{};
};

}  // namespace lvs::agent
