#pragma once

// The sockets and the timer of a PollEngine: moves bytes and time, decides nothing.
//
// Threading: the io_context's one thread. Errors: a datagram that cannot be sent is a poll without
// an answer; the engine's deadline notices.

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "monitord/agents.hpp"
#include "monitord/poll_engine.hpp"

namespace lvs::monitord {

class UdpPoller {
 public:
  /// `clock` is CLOCK_BOOTTIME, or a test's.
  UdpPoller(boost::asio::io_context& io, PollEngine& engine, std::function<Moment()> clock);

  /// Sends what the last cycle still had to ask, then plans this one.
  void begin_cycle(std::span<const Agent> agents);

  /// Why a family has no socket; empty: both have one.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  /// One unconnected socket per family: 10,000 agents need two descriptors, and no ICMP error of
  /// one agent reaches another's poll.
  struct Channel {
    explicit Channel(boost::asio::io_context& io) : socket(io) {}
    boost::asio::ip::udp::socket socket;
    boost::asio::ip::udp::endpoint from{};
    /// Longer than any valid reply, so that a longer datagram is seen as too long.
    std::array<std::uint8_t, 2048> buffer{};
  };

  void open(Channel& channel, const boost::asio::ip::udp& protocol);
  void receive(Channel& channel);
  void drain(Channel& channel);
  void send(const Datagram& datagram);
  void pump();
  void arm();

  PollEngine& engine_;
  std::function<Moment()> clock_;
  Channel inet_;
  Channel inet6_;
  boost::asio::steady_timer timer_;
  std::vector<std::string> problems_{};
};

}  // namespace lvs::monitord
