#include "monitord/datagram_batch.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lvs::monitord {

socklen_t socket_address_from_endpoint(const Endpoint& endpoint, sockaddr_storage& address) {
  const auto& bytes = endpoint.address.bytes;
  if (endpoint.address.family == ipvs::Family::inet) {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(endpoint.port);
    std::memcpy(&four.sin_addr, bytes.data(), sizeof(four.sin_addr));
    std::memcpy(&address, &four, sizeof(four));
    return sizeof(four);
  }
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(endpoint.port);
  std::memcpy(&six.sin6_addr, bytes.data(), sizeof(six.sin6_addr));
  std::memcpy(&address, &six, sizeof(six));
  return sizeof(six);
}

Endpoint endpoint_from_socket_address(const sockaddr_storage& address) {
  Endpoint endpoint;
  auto& bytes = endpoint.address.bytes;
  if (address.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof(four));
    endpoint.port = ntohs(four.sin_port);
    std::memcpy(bytes.data(), &four.sin_addr, sizeof(four.sin_addr));
  } else {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof(six));
    endpoint.address.family = ipvs::Family::inet6;
    endpoint.port = ntohs(six.sin6_port);
    std::memcpy(bytes.data(), &six.sin6_addr, sizeof(six.sin6_addr));
  }
  return endpoint;
}

void SendBatch::add(const Endpoint& to, std::span<const std::uint8_t> bytes) {
  if (gathered_ == datagrams_a_call) flush();
  auto& address = addresses_[gathered_];
  auto& piece = pieces_[gathered_];
  auto& header = headers_[gathered_];
  ++gathered_;
  // sendmmsg(2) does not write to what it sends; iovec just serves both directions.
  piece.iov_base = const_cast<std::uint8_t*>(bytes.data());
  piece.iov_len = bytes.size();
  header = {};
  header.msg_hdr.msg_name = &address;
  header.msg_hdr.msg_namelen = socket_address_from_endpoint(to, address);
  header.msg_hdr.msg_iov = &piece;
  header.msg_hdr.msg_iovlen = 1;
}

void SendBatch::flush() {
  std::size_t done = 0;
  while (done < gathered_) {
    const auto sent =
        ::sendmmsg(socket_, &headers_[done], static_cast<unsigned>(gathered_ - done), 0);
    if (sent < 0 && errno == EINTR) continue;
    // An error is that of the first datagram alone: no route to it, a full queue.
    done += sent > 0 ? static_cast<std::size_t>(sent) : 1;
  }
  gathered_ = 0;
}

ReceiveBatch::ReceiveBatch() {
  for (std::size_t i = 0; i < datagrams_a_call; ++i) {
    pieces_[i] = {buffers_[i].data(), buffers_[i].size()};
    auto& header = headers_[i].msg_hdr;
    header.msg_name = &addresses_[i];
    header.msg_iov = &pieces_[i];
    header.msg_iovlen = 1;
  }
}

std::size_t ReceiveBatch::receive(int socket, const Taker& take) {
  for (auto& header : headers_)
    header.msg_hdr.msg_namelen = sizeof(sockaddr_storage);
  auto count = -1;
  do {
    count = ::recvmmsg(socket, headers_.data(), datagrams_a_call, MSG_DONTWAIT, nullptr);
  } while (count < 0 && errno == EINTR);
  const auto received = static_cast<std::size_t>(std::max(count, 0));
  for (std::size_t i = 0; i < received; ++i) {
    take(endpoint_from_socket_address(addresses_[i]),
         std::span<const std::uint8_t>(buffers_[i]).first(headers_[i].msg_len));
  }
  return received;
}

}  // namespace lvs::monitord
