#pragma once

// Many datagrams with one system call: sendmmsg(2) and recvmmsg(2), which Asio does not have. No
// memory is taken after the construction.
//
// Threading: one thread. Errors: see each call; a datagram is never half sent or half received.

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "monitord/agents.hpp"

namespace lvs::monitord {

/// Datagrams moved by one system call: that call then costs each of them next to nothing.
inline constexpr std::size_t datagrams_a_call = 64;

/// An Endpoint as the kernel has it, and back. The family must be AF_INET or AF_INET6.
socklen_t socket_address_from_endpoint(const Endpoint& endpoint, sockaddr_storage& address);
Endpoint endpoint_from_socket_address(const sockaddr_storage& address);

/// Gathers datagrams for one unconnected socket. What is added must live until flush().
class SendBatch {
 public:
  explicit SendBatch(int socket = -1) : socket_(socket) {}

  /// Sends what was gathered first when there is no room.
  void add(const Endpoint& to, std::span<const std::uint8_t> bytes);
  /// Each datagram is tried once; one that cannot be sent is passed over.
  void flush();

 private:
  int socket_;
  std::size_t gathered_{};
  std::array<sockaddr_storage, datagrams_a_call> addresses_{};
  std::array<iovec, datagrams_a_call> pieces_{};
  std::array<mmsghdr, datagrams_a_call> headers_{};
};

/// Room for the datagrams of one system call.
class ReceiveBatch {
 public:
  /// Longer than any valid reply, so that a longer datagram is seen as too long.
  static constexpr std::size_t most_bytes = 1024;
  using Taker = std::function<void(const Endpoint& from, std::span<const std::uint8_t> bytes)>;

  ReceiveBatch();
  ReceiveBatch(const ReceiveBatch&) = delete;
  ReceiveBatch& operator=(const ReceiveBatch&) = delete;

  /// Hands what waits at the non-blocking `socket` to `take`, at most datagrams_a_call. How many;
  /// 0: none, or an error that the next datagram will show again.
  std::size_t receive(int socket, const Taker& take);

 private:
  std::array<std::array<std::uint8_t, most_bytes>, datagrams_a_call> buffers_{};
  std::array<sockaddr_storage, datagrams_a_call> addresses_{};
  std::array<iovec, datagrams_a_call> pieces_{};
  std::array<mmsghdr, datagrams_a_call> headers_{};
};

}  // namespace lvs::monitord
