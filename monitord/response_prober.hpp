#pragma once

// The connections and the timer of a ResponseEngine: moves bytes and time, decides nothing.
//
// Threading: the io_context's one thread. Errors: every one ends its probe, and the engine is told.

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <functional>
#include <map>
#include <memory>
#include <span>

#include "monitord/probe_targets.hpp"
#include "monitord/response_engine.hpp"

namespace lvs::monitord {

class ResponseProber {
 public:
  /// `clock` is CLOCK_BOOTTIME, or a test's.
  ResponseProber(boost::asio::io_context& io, ResponseEngine& engine,
                 std::function<Moment()> clock);

  void begin_cycle(std::span<const ProbeTarget> targets);

 private:
  struct Connection;
  using Shared = std::shared_ptr<Connection>;

  void pump();
  void arm();
  void open(const Probe& probe);
  void connected(const Shared& connection, boost::system::error_code failure);
  void send(const Shared& connection);
  void receive(const Shared& connection);
  void end(const Shared& connection);
  void fail(const Shared& connection, ResponseEngine::Failure failure);
  void drop(ProbeId id);

  boost::asio::io_context& io_;
  ResponseEngine& engine_;
  std::function<Moment()> clock_;
  std::map<ProbeId, Shared> connections_{};
  boost::asio::steady_timer timer_;
};

}  // namespace lvs::monitord
