#pragma once

#include <memory>
#include <vector>

#include "ipvs/transport.hpp"

struct nl_sock;

namespace lvs::ipvs {

/// One generic netlink socket, opened at the first send and kept: the kernel sizes a dump's pieces
/// by the largest buffer that the socket ever offered.
///
/// Threading: one thread. Errors: errnos of the system calls, unchanged.
/// A socket belongs for life to the network namespace it was opened in, and the kernel checks the
/// rights of the opener and of the sender at every message: open it with the rights it will need.
class NetlinkSocket : public Transport {
 public:
  /// `receive_queue` in bytes: room for several pieces and acks. The kernel doubles it and cuts it
  /// to net.core.rmem_max.
  explicit NetlinkSocket(int receive_queue = 1 << 18);
  ~NetlinkSocket() override;

  tl::expected<void, int> send(ByteView datagram) override;
  tl::expected<ByteView, int> receive(Clock::time_point deadline) override;
  void close() override;

 private:
  struct Release {
    void operator()(nl_sock* socket) const;
  };

  tl::expected<void, int> open();

  int receive_queue_;
  std::unique_ptr<nl_sock, Release> socket_{};
  std::vector<std::byte> buffer_;
};

}  // namespace lvs::ipvs
