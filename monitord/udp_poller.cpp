#include "monitord/udp_poller.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <chrono>
#include <utility>

#include "monitord/asio_address.hpp"

namespace lvs::monitord {
namespace {

namespace asio = boost::asio;
using asio::ip::udp;
using boost::system::error_code;

/// The default of 212,992 bytes holds 256 small datagrams; this holds the replies of 10,000 agents.
constexpr int receive_buffer_bytes = 4 * 1024 * 1024;
/// Datagrams taken in one turn: a flood must not keep the cycle's timer waiting.
constexpr int datagrams_a_turn = 256;

Endpoint endpoint_from(const udp::endpoint& from) {
  Endpoint endpoint;
  endpoint.port = from.port();
  auto& bytes = endpoint.address.bytes;
  if (from.address().is_v4()) {
    const auto four = from.address().to_v4().to_bytes();
    std::copy(four.begin(), four.end(), bytes.begin());
  } else {
    endpoint.address.family = ipvs::Family::inet6;
    const auto sixteen = from.address().to_v6().to_bytes();
    std::copy(sixteen.begin(), sixteen.end(), bytes.begin());
  }
  return endpoint;
}

/// Beyond net.core.rmem_max needs CAP_NET_ADMIN, which the daemon has; else as much as allowed.
void widen_receive_buffer(int socket) {
  const int size = receive_buffer_bytes;
  if (::setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) != 0) {
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
  }
}

}  // namespace

UdpPoller::UdpPoller(asio::io_context& io, PollEngine& engine, std::function<Moment()> clock)
    : engine_(engine), clock_(std::move(clock)), inet_(io), inet6_(io), timer_(io) {
  open(inet_, udp::v4());
  open(inet6_, udp::v6());
}

void UdpPoller::open(Channel& channel, const udp& protocol) {
  const bool v6 = protocol == udp::v6();
  error_code failure;
  const auto check = [&](const char* call) {
    if (!failure) return true;
    problems_.push_back(std::string(v6 ? "IPv6" : "IPv4") + " agents cannot be asked: " + call +
                        ": " + failure.message());
    error_code ignored;
    channel.socket.close(ignored);
    return false;
  };
  channel.socket.open(protocol, failure);
  if (!check("socket")) return;
  if (v6) channel.socket.set_option(asio::ip::v6_only(true), failure);
  if (!check("IPV6_V6ONLY")) return;
  channel.socket.bind({protocol, 0}, failure);
  if (!check("bind")) return;
  channel.socket.non_blocking(true, failure);
  if (!check("O_NONBLOCK")) return;
  widen_receive_buffer(channel.socket.native_handle());
  receive(channel);
}

void UdpPoller::receive(Channel& channel) {
  channel.socket.async_wait(udp::socket::wait_read, [this, &channel](error_code failure) {
    if (failure == asio::error::operation_aborted) return;
    drain(channel);
    receive(channel);
  });
}

void UdpPoller::drain(Channel& channel) {
  for (int taken = 0; taken < datagrams_a_turn; ++taken) {
    error_code failure;
    const auto size =
        channel.socket.receive_from(asio::buffer(channel.buffer), channel.from, 0, failure);
    if (failure) break;
    engine_.received(endpoint_from(channel.from), agentproto::Bytes(channel.buffer).first(size),
                     clock_());
  }
  arm();
}

void UdpPoller::begin_cycle(std::span<const Agent> agents) {
  pump();
  engine_.begin_cycle(clock_(), agents);
  pump();
}

void UdpPoller::pump() {
  for (const auto& datagram : engine_.due(clock_()))
    send(datagram);
  arm();
}

void UdpPoller::send(const Datagram& datagram) {
  auto& channel = datagram.to.address.family == ipvs::Family::inet ? inet_ : inet6_;
  error_code unsent;
  channel.socket.send_to(asio::buffer(datagram.bytes),
                         udp::endpoint(asio_address(datagram.to.address), datagram.to.port), 0,
                         unsent);
}

void UdpPoller::arm() {
  const auto next = engine_.next();
  if (!next) return;
  // A wait measured on the steady clock: after a suspend it ends late, and due() is then told.
  timer_.expires_after(std::max(Moment::zero(), *next - clock_()));
  timer_.async_wait([this](error_code failure) {
    if (!failure) pump();
  });
}

}  // namespace lvs::monitord
