#pragma once

// The sockets and the timer of a PollEngine: moves bytes and time, decides nothing.
//
// Threading: the io_context's one thread. Errors: a datagram that cannot be sent is a poll without
// an answer; the engine's deadline notices.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "monitord/agents.hpp"
#include "monitord/datagram_batch.hpp"
#include "monitord/poll_engine.hpp"

namespace lvs::monitord {

class UdpPoller {
 public:
  /// `clock` is CLOCK_BOOTTIME, or a test's.
  UdpPoller(boost::asio::io_context& io, PollEngine& engine, std::function<Moment()> clock);

  /// Sends what the last cycle still had to ask, then plans this one.
  void begin_cycle(std::span<const Agent> agents);

  /// Why a family has no socket, and that replies may get lost here; empty: all is well.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  /// One unconnected socket per family: 10,000 agents need two descriptors, and no ICMP error of
  /// one agent reaches another's poll.
  struct Channel {
    explicit Channel(boost::asio::io_context& io) : socket(io) {}
    boost::asio::ip::udp::socket socket;
    SendBatch out{};
    bool listening{};  ///< a datagram that comes wakes the loop
  };

  void open(Channel& channel, const boost::asio::ip::udp& protocol);
  void listen(Channel& channel);
  bool drain(Channel& channel);
  void pump();
  void arm();

  PollEngine& engine_;
  std::function<Moment()> clock_;
  Channel inet_;
  Channel inet6_;
  boost::asio::steady_timer timer_;
  Moment pumped_{Moment::min()};  ///< when pump() ran last
  std::vector<Datagram> outbox_{};
  ReceiveBatch in_{};
  std::vector<std::string> problems_{};
  int receive_buffer_{};  ///< bytes that a socket's replies may take
  std::size_t agents_{};  ///< of the last cycle
};

}  // namespace lvs::monitord
