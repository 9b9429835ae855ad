#pragma once

// The port under the conversation with the kernel: datagrams out and in. NetlinkSocket is the real
// one; tests script another.

#include <chrono>
#include <tl/expected.hpp>

#include "ipvs/attributes.hpp"

namespace lvs::ipvs {

using Clock = std::chrono::steady_clock;

/// Errors are positive errnos. ETIMEDOUT is the deadline's; ENOBUFS means that answers were lost.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Sends one datagram to the kernel, on a new socket where there is none.
  virtual tl::expected<void, int> send(ByteView datagram) = 0;

  /// The next datagram of the kernel. The view is valid until the next call. One that is there
  /// already is given whatever the deadline.
  virtual tl::expected<ByteView, int> receive(Clock::time_point deadline) = 0;

  /// Drops the socket and whatever answers were still to come on it.
  virtual void close() = 0;
};

}  // namespace lvs::ipvs
