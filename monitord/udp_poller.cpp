#include "monitord/udp_poller.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <chrono>
#include <span>
#include <utility>

namespace lvs::monitord {
namespace {

namespace asio = boost::asio;
using asio::ip::udp;
using boost::system::error_code;

/// The default of 212,992 bytes holds 256 small datagrams; this holds the replies of 10,000 agents.
constexpr int receive_buffer_bytes = 4 * 1024 * 1024;
/// Datagrams taken in one turn: a flood must not keep the cycle's timer waiting.
constexpr std::size_t datagrams_a_turn = 4 * datagrams_a_call;

/// Questions that are due so soon after others go together with them, and with the replies that
/// came meanwhile: of 10,000 agents each 2 s some 50 in one turn of the loop. With few agents
/// nothing ever waits.
constexpr auto together = std::chrono::milliseconds{10};

/// What the kernel counts for a small datagram that waits (a page's quarter, skb->truesize).
constexpr std::size_t bytes_a_reply = 832;

/// Beyond net.core.rmem_max needs CAP_NET_ADMIN, which the daemon has; else as much as allowed.
/// The bytes that were got: the kernel says twice what holds (socket(7)).
int widen_receive_buffer(int socket) {
  int size = receive_buffer_bytes;
  if (::setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) != 0) {
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
  }
  socklen_t length = sizeof(size);
  ::getsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, &length);
  return size / 2;
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
  receive_buffer_ = widen_receive_buffer(channel.socket.native_handle());
  channel.out = SendBatch(channel.socket.native_handle());
  listen(channel);
}

/// Once; arm() says whether again.
void UdpPoller::listen(Channel& channel) {
  if (channel.listening || !channel.socket.is_open()) return;
  channel.listening = true;
  channel.socket.async_wait(udp::socket::wait_read, [this, &channel](error_code failure) {
    if (failure == asio::error::operation_aborted) return;
    channel.listening = false;
    drain(channel);
    arm();
  });
}

/// Whether nothing is left.
bool UdpPoller::drain(Channel& channel) {
  const auto now = clock_();
  for (std::size_t taken = 0; taken < datagrams_a_turn; taken += datagrams_a_call) {
    const auto received =
        in_.receive(channel.socket.native_handle(),
                    [this, now](const Endpoint& from, std::span<const std::uint8_t> bytes) {
                      engine_.received(from, bytes, now);
                    });
    if (received < datagrams_a_call) return true;
  }
  return false;
}

std::vector<std::string> UdpPoller::problems() const {
  auto all = problems_;
  const auto held = static_cast<std::size_t>(receive_buffer_);
  // A cycle may take half the interval before the socket is read again.
  if (receive_buffer_ < receive_buffer_bytes && agents_ / 2 * bytes_a_reply > held) {
    all.push_back("replies of " + std::to_string(agents_) +
                  " agents may get lost: the socket holds " + std::to_string(held) +
                  " bytes of them; raise net.core.rmem_max to " +
                  std::to_string(receive_buffer_bytes));
  }
  return all;
}

void UdpPoller::begin_cycle(std::span<const Agent> agents) {
  agents_ = agents.size();
  pump();
  engine_.begin_cycle(clock_(), agents);
  pump();
}

void UdpPoller::pump() {
  pumped_ = clock_();
  for (auto* channel : {&inet_, &inet6_}) {
    if (channel->socket.is_open() && !drain(*channel)) listen(*channel);
  }
  engine_.due(pumped_, outbox_);
  for (const auto& datagram : outbox_) {
    auto& channel = datagram.to.address.family == ipvs::Family::inet ? inet_ : inet6_;
    channel.out.add(datagram.to, datagram.bytes);
  }
  inet_.out.flush();
  inet6_.out.flush();
  arm();
}

void UdpPoller::arm() {
  const auto next = engine_.next();
  const auto now = clock_();
  // Where a turn comes soon, it takes what has come up to then.
  if (!next || *next > now + together) {
    listen(inet_);
    listen(inet6_);
  }
  if (!next) return;
  // A wait measured on the steady clock: after a suspend it ends late, and due() is then told.
  timer_.expires_after(std::max(Moment::zero(), std::max(*next, pumped_ + together) - now));
  timer_.async_wait([this](error_code failure) {
    if (!failure) pump();
  });
}

}  // namespace lvs::monitord
