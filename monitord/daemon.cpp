#include "monitord/daemon.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <csignal>
#include <iterator>
#include <utility>

#include "monitord/config_difference.hpp"
#include "monitord/cycle_clock.hpp"
#include "monitord/cycle_log.hpp"
#include "monitord/logging.hpp"
#include "monitord/notify.hpp"
#include "monitord/outputs/output_log.hpp"
#include "monitord/probe_log.hpp"
#include "monitord/probe_targets.hpp"

namespace lvs::monitord {
namespace {

using boost::system::error_code;
namespace json = boost::json;

constexpr Moment between_fault_lines = std::chrono::minutes{1};
/// HAProxy asks every two seconds, unless it is told otherwise.
constexpr Moment longest_farewell = std::chrono::seconds{5};
constexpr std::chrono::milliseconds between_looks{50};

double seconds_of(Moment time) {
  return std::chrono::duration<double>(time).count();
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this host";
}

Facts facts_at_start(const Configuration& configuration, const std::string& config_file,
                     const std::string& kernel) {
  Facts facts;
  facts.host = host_name();
  facts.config_file = config_file;
  facts.kernel = kernel;
  facts.started = wall_time_now();
  facts.loaded = facts.started;
  facts.interval = configuration.config.interval;
  return facts;
}

/// What `systemctl status` shows.
std::string status_line(const CycleReport& report) {
  if (!report.degraded.empty()) return "degraded: " + report.degraded;
  std::size_t services = 0;
  std::size_t silent = 0;
  const Verdict* before = nullptr;
  for (const auto& verdict : report.verdicts) {
    if (before == nullptr || before->service != verdict.service) ++services;
    if (verdict.reading == ReadingState::silent && !is_left_alone(verdict.outcome)) ++silent;
    before = &verdict;
  }
  return fmt::format("{}{} services, {} destinations, {} silent", report.dry_run ? "dry run, " : "",
                     services, report.verdicts.size(), silent);
}

/// What only a start can change stays as it runs; whoever asks for it is told so.
void keep_from_start(const Config& running, Configuration& fresh) {
  const auto keep = [&fresh](const std::string& value, std::string& target, const char* key) {
    if (value == target) return;
    target = value;
    fresh.other_origins[key] = "from the start of monitord; what the files say waits for the next";
  };
  keep(running.control_socket, fresh.config.control_socket, "control.socket");
  keep(running.state_file, fresh.config.state_file, "state.file");
}

}  // namespace

Daemon::Daemon(boost::asio::io_context& io, Source source, Configuration configuration, Parts parts,
               Memory memory)
    : io_(io),
      source_(std::move(source)),
      configuration_(std::move(configuration)),
      parts_(std::move(parts)),
      outputs_(io, parts_.table, parts_.clock, configuration_.config, memory.destinations),
      controller_(configuration_.config, outputs_.table(), &parts_.journal, std::move(memory)),
      recorder_(configuration_.config.record),
      engine_(poll_settings_from(configuration_), parts_.nonces),
      poller_(io, engine_, parts_.clock),
      prober_(io, responses_, parts_.clock),
      control_(io, [this](const ControlRequest& request,
                          ControlServer::Respond respond) { answer(request, std::move(respond)); }),
      renderer_(io),
      signals_(io),
      timer_(io),
      beat_timer_(io),
      watchdog_(watchdog_time()),
      publisher_(facts_at_start(configuration_, source_.config_file, parts_.kernel)) {
  controller_.set_cycle_sink([this](const auto& seen, const auto& state, const auto& applied) {
    recorder_.record(seen, state, applied, wall_time_now());
  });
}

void Daemon::start() {
  if (auto opened = control_.open(configuration_.config.control_socket); !opened) {
    control_problem_ = std::move(opened.error());
  }
  publisher_.serve(configuration_.config.http);
  outputs_.serve();
  signals_.add(SIGTERM);
  signals_.add(SIGINT);
  signals_.add(SIGHUP);
  wait_for_signal();
  deadline_ = parts_.clock();
  tick();
  beat();
}

void Daemon::tick() {
  const auto begun = parts_.clock();
  cycle(begun);
  if (parts_.cycle_ended) parts_.cycle_ended({deadline_, begun, parts_.clock()});
  if (!started_) {
    if (may_not_read()) {
      exit_code_ = 1;
      return io_.stop();
    }
    notify_ready(status_line(*report_));
    started_ = true;
  }
  notify_alive(status_line(*report_));
  const auto now = parts_.clock();
  deadline_ = next_deadline(deadline_, configuration_.config.interval, now);
  timer_.expires_after(deadline_ - now);
  timer_.async_wait([this](error_code stopped) {
    if (!stopped) tick();
  });
}

void Daemon::log_start() const {
  log({LogLevel::info,
       "started",
       {{"version", source_.version},
        {"config", source_.config_file},
        {"dry_run", configuration_.config.dry_run ? "true" : "false"}}});
}

/// A missing capability does not come by itself; a missing ip_vs may.
bool Daemon::may_not_read() const {
  const auto& error = controller_.table_error();
  return error && error->kind == ipvs::ErrorKind::no_permission;
}

/// Feeds a watchdog that is shorter than two intervals, as long as no cycle is overdue.
void Daemon::beat() {
  if (!watchdog_ || 2 * configuration_.config.interval <= *watchdog_) return;
  beat_timer_.expires_after(*watchdog_ / 2);
  beat_timer_.async_wait([this](error_code stopped) {
    if (stopped) return;
    if (parts_.clock() < deadline_ + *watchdog_ / 2) notify_alive(status_line(*report_));
    beat();
  });
}

void Daemon::cycle(Moment now) {
  if (parts_.lock != nullptr) parts_.lock->drain();
  controller_.set_wall_time(wall_time_now());
  controller_.set_counters_run(parts_.counters_run && parts_.counters_run());
  const auto begun = parts_.clock();
  auto report = controller_.cycle(now, engine_.readings(), responses_.take_responses(now));
  publisher_.cycle_took(seconds_of(parts_.clock() - begun));
  outputs_.begin_cycle();
  poller_.begin_cycle(agents_from_table(controller_.last_table(), outputs_.listed()));
  prober_.begin_cycle(targets_from_table(controller_.last_table(), configuration_.config));
  report.wall_time = wall_time_now();
  report.version = source_.version;
  const auto around = notes();
  report.notes.insert(report.notes.begin(), around.begin(), around.end());
  report.polls = engine_.counters();
  report.probes = responses_.counters();
  report.outputs = outputs_.counters();
  if (report_->cycle == 0 && !may_not_read()) log_start();
  publish(std::move(report));
  log_faults(now);
}

void Daemon::publish(CycleReport report) {
  for (auto& line : lines_from_cycle(*report_, report)) {
    auto passed = limiter_.passed(std::move(line), parts_.clock());
    if (!passed) continue;
    log(*passed);
    publisher_.event(report.wall_time, std::move(*passed));
  }
  report_ = std::make_shared<const CycleReport>(std::move(report));
  status_.reset();
  publisher_.publish(report_, engine_.poll_times());
}

void Daemon::log_line(LogLine line) {
  if (const auto passed = limiter_.passed(std::move(line), parts_.clock())) log(*passed);
}

/// What people did is an event of the page as well.
void Daemon::log_event(LogLine line) {
  log(line);
  publisher_.event(wall_time_now(), std::move(line));
}

void Daemon::log_faults(Moment now) {
  if (now - faults_logged_at_ < between_fault_lines) return;
  auto lines = lines_from_faults(logged_faults_, engine_.counters(), engine_.take_faults());
  std::ranges::move(lines_from_probe_faults(logged_probe_faults_, responses_.counters(),
                                            responses_.take_faults()),
                    std::back_inserter(lines));
  const auto questions = outputs_.counters().questions;
  std::ranges::move(
      lines_from_question_faults(logged_question_faults_, questions, outputs_.take_faults()),
      std::back_inserter(lines));
  if (lines.empty()) return;
  for (auto& line : lines) {
    publisher_.event(wall_time_now(), line);
    log_line(std::move(line));
  }
  logged_faults_ = engine_.counters();
  logged_probe_faults_ = responses_.counters();
  logged_question_faults_ = questions;
  faults_logged_at_ = now;
}

std::vector<std::string> Daemon::notes() const {
  auto all = configuration_.notes;
  const auto& messages = parts_.journal.messages();
  all.insert(all.end(), messages.begin(), messages.end());
  for (auto& problem : poller_.problems())
    all.push_back(std::move(problem));
  if (!parts_.journal.problem().empty()) all.push_back(parts_.journal.problem());
  if (!control_problem_.empty()) all.push_back(control_problem_);
  if (!publisher_.problem().empty()) all.push_back(publisher_.problem());
  for (auto& note : outputs_.notes())
    all.push_back(std::move(note));
  for (auto& note : recorder_.notes())
    all.push_back(std::move(note));
  return all;
}

tl::expected<std::vector<std::string>, std::string> Daemon::reload() {
  auto fresh = read_configuration(source_.config_file, source_.overrides);
  if (!fresh) return tl::make_unexpected(std::move(fresh.error()));
  // The file of running keys has vanished: more likely an accident than a wish.
  if (fresh->config.agent.security == Security::keys && fresh->keys.empty() &&
      !configuration_.keys.empty()) {
    return tl::make_unexpected(fresh->config.agent.keys_file + ": error: has vanished\n");
  }
  auto changes = config_difference(configuration_.config, fresh->config);
  if (fresh->keys != configuration_.keys) changes.emplace_back("keys: changed");

  const auto& running = configuration_.config;
  if (fresh->config.control_socket != running.control_socket ||
      fresh->config.state_file != running.state_file) {
    changes.emplace_back("control: and state: take effect at the next start only");
    keep_from_start(running, *fresh);
  }
  configuration_ = *std::move(fresh);
  set_up_log(configuration_.config.log_level, configuration_.config.log_format);
  controller_.set_config(configuration_.config);
  outputs_.configure(configuration_.config);
  std::ranges::move(controller_.let_go_zeros(), std::back_inserter(changes));
  engine_.reconfigure(poll_settings_from(configuration_));
  publisher_.loaded(wall_time_now(), configuration_.config.interval);
  if (started_) {
    publisher_.serve(configuration_.config.http);
    outputs_.serve();
  }
  beat_timer_.cancel();
  beat();
  return changes;
}

std::string Daemon::reload_answer() {
  notify_reloading();
  const auto changes = reload();
  // Even when that failed: whoever rotates files sends SIGHUP, too.
  recorder_.configure(configuration_.config.record);
  notify_ready(status_line(*report_));
  if (!changes) {
    for (auto& line : lines_from_refusal(changes.error()))
      log_event(std::move(line));
    publisher_.reload_refused(changes.error());
    return control_answer(
        ControlError{changes.error(), "the running configuration stays in force"});
  }
  log_event(
      {LogLevel::info,
       "reloaded",
       {{"changes", changes->empty() ? "none" : fmt::format("{}", fmt::join(*changes, "; "))}}});
  json::array list;
  for (const auto& change : *changes)
    list.emplace_back(change);
  return control_answer(json::object{{"changes", std::move(list)}});
}

void Daemon::wait_for_signal() {
  signals_.async_wait([this](error_code failure, int signal) {
    if (failure) return;
    if (farewell_) return io_.stop();  // whoever says it twice does not want to wait
    if (signal != SIGHUP) return stop();
    reload_answer();
    wait_for_signal();
  });
}

/// By default weights stay as they are: the last good shares serve better than the bases would.
void Daemon::stop() {
  const auto applied = controller_.leave();
  for (const auto& done : applied)
    log(line_from_applied(done, nullptr));
  for (auto& text : controller_.left_zeros())
    log({LogLevel::warning, "zero_left", {{"text", std::move(text)}}});
  const auto* const weights =
      configuration_.config.on_exit == ExitPolicy::restore ? "restored" : "kept";
  log({LogLevel::info, "stopping", {{"weights", weights}}});
  notify_stopping();
  farewell_ = parts_.clock() + longest_farewell;
  wait_for_signal();
  linger();
}

/// The last weights are of no use to HAProxy before it has asked for them, and to nginx before it
/// was reloaded. No cycle begins any more.
void Daemon::linger() {
  outputs_.hurry();
  if (outputs_.all_told() || parts_.clock() >= *farewell_) return io_.stop();
  timer_.expires_after(between_looks);
  timer_.async_wait([this](error_code stopped) {
    if (!stopped) linger();
  });
}

}  // namespace lvs::monitord
