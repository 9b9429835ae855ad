#pragma once

// The agent as a service: one thread, one poll() over timer, signals and sockets.
//
// Threading: one thread. Errors: what goes wrong with one datagram or one file is counted or
// logged; only a start without configuration, keys or socket fails.
// Monitoring: STATUS= of sd_notify(3) and one log line per kind of fault and minute.

#include <memory>
#include <set>
#include <string>

#include <spdlog/fwd.h>

#include "realserver-agent/descriptors.hpp"
#include "realserver-agent/responder/listeners.hpp"
#include "realserver-agent/responder/log_limit.hpp"
#include "realserver-agent/responder/responder.hpp"
#include "realserver-agent/root.hpp"
#include "realserver-agent/sampler.hpp"
#include "realserver-agent/setup.hpp"

namespace lvs::agent {

class Daemon {
 public:
  /// Throws std::system_error when the kernel gives no timer or signal descriptor.
  /// `overrides` hold for reloads.
  Daemon(std::string config_file, Overrides overrides, Setup setup, Root root,
         std::shared_ptr<spdlog::logger> log);

  /// Until SIGTERM or SIGINT. Returns the exit code.
  int run();

 private:
  void take_sample();
  void log_problems();
  void handle_signal(int signal);
  void reload();
  void answer_waiting(UdpSocket& socket);
  void log_fault(Outcome outcome, const Peer& peer);
  void wait();

  std::string config_file_;
  Overrides overrides_;
  Setup setup_;
  Root root_;
  std::shared_ptr<spdlog::logger> log_;
  Signals signals_{};
  Ticker ticker_{};
  Listeners listeners_{};
  Responder responder_;
  Sampler sampler_;
  LogLimit log_limit_{};
  std::set<Problem::Kind> known_problems_{};
  bool running_{true};
};

}  // namespace lvs::agent
