#include "realserver-agent/responder/udp_socket.hpp"

#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lvs::agent {
namespace {

/// Room for either family's packet info, aligned for cmsghdr.
union Control {
  cmsghdr header;
  std::array<char, CMSG_SPACE(sizeof(in6_pktinfo))> bytes;
};

template <typename T>
T* as(sockaddr_storage& storage) {
  return reinterpret_cast<T*>(&storage);
}
template <typename T>
const T* as(const sockaddr_storage& storage) {
  return reinterpret_cast<const T*>(&storage);
}

ipvs::IpAddress address_from(const in_addr& in) {
  ipvs::IpAddress address{.family = ipvs::Family::inet};
  std::memcpy(address.bytes.data(), &in, sizeof in);
  return address;
}

ipvs::IpAddress address_from(const in6_addr& in) {
  ipvs::IpAddress address{.family = ipvs::Family::inet6};
  std::memcpy(address.bytes.data(), &in, sizeof in);
  return address;
}

ipvs::IpAddress address_from(const sockaddr_storage& storage) {
  return storage.ss_family == AF_INET ? address_from(as<sockaddr_in>(storage)->sin_addr)
                                      : address_from(as<sockaddr_in6>(storage)->sin6_addr);
}

socklen_t length_of(const sockaddr_storage& storage) {
  return storage.ss_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
}

sockaddr_storage storage_from(const ipvs::IpAddress& address, std::uint16_t port) {
  sockaddr_storage storage{};
  if (address.family == ipvs::Family::inet) {
    auto* const in = as<sockaddr_in>(storage);
    in->sin_family = AF_INET;
    in->sin_port = htons(port);
    std::memcpy(&in->sin_addr, address.bytes.data(), sizeof in->sin_addr);
  } else {
    auto* const in = as<sockaddr_in6>(storage);
    in->sin6_family = AF_INET6;
    in->sin6_port = htons(port);
    std::memcpy(&in->sin6_addr, address.bytes.data(), sizeof in->sin6_addr);
  }
  return storage;
}

bool switch_on(int fd, int level, int option) {
  const int on = 1;
  return ::setsockopt(fd, level, option, &on, sizeof on) == 0;
}

bool set_options(int fd, ipvs::Family family) {
  if (!switch_on(fd, IPPROTO_IP, IP_FREEBIND)) return false;
  if (family == ipvs::Family::inet) return switch_on(fd, IPPROTO_IP, IP_PKTINFO);
  return switch_on(fd, IPPROTO_IPV6, IPV6_V6ONLY) && switch_on(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO);
}

/// The address in the datagram's header.
std::optional<ipvs::IpAddress> asked_from(msghdr& message) {
  for (cmsghdr* item = CMSG_FIRSTHDR(&message); item != nullptr;
       item = CMSG_NXTHDR(&message, item)) {
    if (item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_PKTINFO) {
      in_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(item), sizeof info);
      return address_from(info.ipi_addr);
    }
    if (item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_PKTINFO) {
      in6_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(item), sizeof info);
      return address_from(info.ipi6_addr);
    }
  }
  return std::nullopt;
}

/// Writes the address to answer from into the message's control data.
template <typename Info>
void set_source(msghdr& message, int level, int type, const Info& info) {
  message.msg_controllen = CMSG_SPACE(sizeof info);
  cmsghdr* const item = CMSG_FIRSTHDR(&message);
  item->cmsg_level = level;
  item->cmsg_type = type;
  item->cmsg_len = CMSG_LEN(sizeof info);
  std::memcpy(CMSG_DATA(item), &info, sizeof info);
}

void set_source(msghdr& message, const Peer& peer) {
  if (peer.asked.family == ipvs::Family::inet) {
    in_pktinfo info{};
    std::memcpy(&info.ipi_spec_dst, peer.asked.bytes.data(), sizeof info.ipi_spec_dst);
    set_source(message, IPPROTO_IP, IP_PKTINFO, info);
  } else {
    in6_pktinfo info{};
    std::memcpy(&info.ipi6_addr, peer.asked.bytes.data(), sizeof info.ipi6_addr);
    info.ipi6_ifindex = as<sockaddr_in6>(peer.address)->sin6_scope_id;
    set_source(message, IPPROTO_IPV6, IPV6_PKTINFO, info);
  }
}

}  // namespace

tl::expected<UdpSocket, int> UdpSocket::bind(const ipvs::IpAddress& address, std::uint16_t port) {
  const int fd =
      ::socket(static_cast<int>(address.family), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return tl::unexpected(errno);
  UdpSocket socket{fd};
  const sockaddr_storage local = storage_from(address, port);
  if (!set_options(fd, address.family) || ::bind(fd, as<sockaddr>(local), length_of(local)) != 0) {
    return tl::unexpected(errno);
  }
  return socket;
}

UdpSocket::UdpSocket(UdpSocket&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}

UdpSocket& UdpSocket::operator=(UdpSocket&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

UdpSocket::~UdpSocket() {
  if (fd_ >= 0) ::close(fd_);
}

std::uint16_t UdpSocket::port() const {
  sockaddr_storage local{};
  socklen_t length = sizeof local;
  if (::getsockname(fd_, as<sockaddr>(local), &length) != 0) return 0;
  return ntohs(as<sockaddr_in>(local)->sin_port);  // at the same place in sockaddr_in6
}

std::optional<UdpSocket::Received> UdpSocket::receive() {
  Received received{};
  Control control{};
  iovec part{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
  msghdr message{};
  message.msg_name = &received.peer.address;
  message.msg_namelen = sizeof received.peer.address;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  const ssize_t size = ::recvmsg(fd_, &message, 0);
  if (size < 0) return std::nullopt;

  received.bytes = agentproto::Bytes{buffer_}.first(static_cast<std::size_t>(size));
  received.peer.source = address_from(received.peer.address);
  received.peer.asked = asked_from(message).value_or(ipvs::IpAddress{});
  return received;
}

bool UdpSocket::send(agentproto::Bytes bytes, const Peer& to) const {
  Peer peer = to;
  Control control{};
  iovec part{.iov_base = const_cast<std::uint8_t*>(bytes.data()), .iov_len = bytes.size()};
  msghdr message{};
  message.msg_name = &peer.address;
  message.msg_namelen = length_of(peer.address);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  set_source(message, peer);
  return ::sendmsg(fd_, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

}  // namespace lvs::agent
