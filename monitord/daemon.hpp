#pragma once

// The loop: cycles at fixed deadlines, agents polled in between, requests on the control socket.
//
// Threading: the io_context's one thread; netlink is synchronous on it, bounded by the table's own
// deadline. Errors: what goes wrong in a cycle is in its report. Monitoring: the status document.

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/table.hpp"
#include "monitord/configuration.hpp"
#include "monitord/control_server.hpp"
#include "monitord/controller.hpp"
#include "monitord/cycle_recorder.hpp"
#include "monitord/instance_lock.hpp"
#include "monitord/log_limiter.hpp"
#include "monitord/outputs/outputs.hpp"
#include "monitord/poll_engine.hpp"
#include "monitord/publisher.hpp"
#include "monitord/renderer.hpp"
#include "monitord/report.hpp"
#include "monitord/response_engine.hpp"
#include "monitord/response_prober.hpp"
#include "monitord/state_journal.hpp"
#include "monitord/udp_poller.hpp"

namespace lvs::monitord {

/// Of one cycle, on the daemon's clock: when it was due, when it began, and when it was published.
struct CycleTimes {
  Moment deadline{}, begun{}, ended{};
};

class Daemon {
 public:
  struct Parts {
    ipvs::Table& table;
    StateJournal& journal;
    InstanceLock* lock{};  ///< may be null
    std::function<Moment()> clock;
    PollEngine::NonceSource nonces;
    std::string kernel{};                  ///< version of ip_vs, for people
    std::function<bool()> counters_run{};  ///< see estimation.hpp; empty: not known
    /// Told after each cycle of the loop, for who measures it; may be empty.
    std::function<void(const CycleTimes&)> cycle_ended{};
  };
  struct Source {
    std::string config_file{};
    Overrides overrides{};
    std::string version{};
  };

  Daemon(boost::asio::io_context& io, Source source, Configuration configuration, Parts parts,
         Memory memory);

  /// Opens the control socket, takes the signals and begins the first cycle.
  void start();

  /// One cycle, then the questions of the next one. Called by the timer, and by tests.
  void cycle(Moment now);

  /// Reads the configuration again. The changes, one a line; or all problems, and nothing changed.
  tl::expected<std::vector<std::string>, std::string> reload();

  [[nodiscard]] const CycleReport& last_report() const { return *report_; }
  /// What the control socket answers; `respond` as ControlServer::Respond says.
  void answer(const ControlRequest& request, ControlServer::Respond respond);
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  void tick();
  void beat();
  void log_start() const;
  void wait_for_signal();
  void stop();
  void linger();
  void publish(CycleReport report);
  void log_line(LogLine line);
  void log_event(LogLine line);
  void log_faults(Moment now);
  [[nodiscard]] bool may_not_read() const;
  [[nodiscard]] std::vector<std::string> notes() const;
  std::string reload_answer();
  std::string order_answer(const Order& order);
  std::string import_answer(const std::string& journal);
  void answer_export(ControlServer::Respond respond);
  void answer_status(ControlServer::Respond respond);
  void answer_history(const Order& about, ControlServer::Respond respond);

  boost::asio::io_context& io_;
  Source source_;
  Configuration configuration_;
  Parts parts_;
  Outputs outputs_;  ///< before the controller, which works on its table
  Controller controller_;
  CycleRecorder recorder_;
  PollEngine engine_;
  UdpPoller poller_;
  ResponseEngine responses_{};
  ResponseProber prober_;
  ControlServer control_;
  Renderer renderer_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer timer_;
  boost::asio::steady_timer beat_timer_;
  std::optional<Moment> watchdog_{};
  Moment deadline_{};                 ///< of the cycle that began last
  bool started_{};                    ///< a first cycle is done
  std::optional<Moment> farewell_{};  ///< it is stopping: not later than then
  std::shared_ptr<const CycleReport> report_{std::make_shared<const CycleReport>()};
  ControlServer::Answer status_{};                      ///< report_ rendered, once somebody asked
  std::vector<ControlServer::Respond> status_asked_{};  ///< while it is being rendered
  Publisher publisher_;
  std::string control_problem_{};
  LogLimiter limiter_{};
  PollCounters logged_faults_{};
  ProbeCounters logged_probe_faults_{};
  QuestionCounters logged_question_faults_{};
  Moment faults_logged_at_{};
  int exit_code_{};
};

}  // namespace lvs::monitord
