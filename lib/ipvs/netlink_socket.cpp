#include "ipvs/netlink_socket.hpp"

#include <netlink/genl/genl.h>
#include <netlink/socket.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace lvs::ipvs {
namespace {

/// The largest piece the kernel makes (af_netlink.c: netlink_dump caps it at 32768); 80
/// destinations or 97 services fit in. One that arrives in a single piece is consistent.
constexpr std::size_t piece_size = 32768;

/// Rounded up, so that the last poll does not spin for the fraction of a millisecond.
int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, std::numeric_limits<int>::max()));
}

}  // namespace

void NetlinkSocket::Release::operator()(nl_sock* socket) const {
  nl_socket_free(socket);
}

NetlinkSocket::NetlinkSocket(int receive_queue)
    : receive_queue_(receive_queue), buffer_(piece_size) {}
NetlinkSocket::~NetlinkSocket() = default;

// libnl owns the socket; the system calls on it are made here, because nl_recv folds ENOBUFS and
// ENOMEM into one code and goes on after EINTR without looking at any deadline.
tl::expected<void, int> NetlinkSocket::open() {
  std::unique_ptr<nl_sock, Release> socket(nl_socket_alloc());
  if (!socket) return tl::unexpected(ENOMEM);

  errno = 0;
  if (genl_connect(socket.get()) < 0 ||
      nl_socket_set_buffer_size(socket.get(), receive_queue_, 0) < 0 ||
      nl_socket_set_nonblocking(socket.get()) < 0) {
    // libnl's own codes are lossy; errno is that of its last system call.
    return tl::unexpected(errno != 0 ? errno : EIO);
  }
  socket_ = std::move(socket);
  return {};
}

void NetlinkSocket::close() {
  socket_.reset();
}

tl::expected<void, int> NetlinkSocket::send(ByteView datagram) {
  if (!socket_) {
    const auto opened = open();
    if (!opened) return opened;
  }
  ssize_t sent = -1;
  do {
    sent = ::send(nl_socket_get_fd(socket_.get()), datagram.data(), datagram.size(), 0);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return tl::unexpected(errno);
  return {};
}

tl::expected<ByteView, int> NetlinkSocket::receive(Clock::time_point deadline) {
  if (!socket_) return tl::unexpected(ENOTCONN);
  const int descriptor = nl_socket_get_fd(socket_.get());
  // Most answers are there already: the clock, in a virtual machine often a system call of its own,
  // is read only before waiting, and where somebody else's datagrams could keep this going.
  do {
    sockaddr_nl sender{};
    socklen_t sender_size = sizeof sender;
    // MSG_TRUNC: the true length, so that a datagram larger than the buffer is noticed.
    const auto length = ::recvfrom(descriptor, buffer_.data(), buffer_.size(), MSG_TRUNC,
                                   reinterpret_cast<sockaddr*>(&sender), &sender_size);
    if (length >= 0) {
      if (sender.nl_pid != 0) continue;  // not the kernel: any process may send us something
      if (static_cast<std::size_t>(length) > buffer_.size()) return tl::unexpected(EMSGSIZE);
      return ByteView(buffer_).first(static_cast<std::size_t>(length));
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return tl::unexpected(errno);

    pollfd wanted{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wanted, 1, milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR) return tl::unexpected(errno);
  } while (Clock::now() < deadline);
  return tl::unexpected(ETIMEDOUT);
}

}  // namespace lvs::ipvs
