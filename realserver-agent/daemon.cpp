#include "realserver-agent/daemon.hpp"

#include <poll.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spdlog/logger.h>

#include "realserver-agent/log.hpp"
#include "realserver-agent/snapshot_reader.hpp"

namespace lvs::agent {
namespace {

/// Between two looks at the timer: a flood must not keep the sampler waiting.
constexpr unsigned datagrams_per_turn = 64;

std::chrono::nanoseconds monotonic_now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

std::string string_from_listeners(const Listeners::Sockets& sockets) {
  std::string text;
  for (const auto& [where, socket] : sockets) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        ipvs::string_from_destination_key({where.first, where.second}));
  }
  return text;
}

std::uint64_t dropped(const Responder& responder) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < outcome_count; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (outcome != Outcome::answered) sum += responder.count(outcome);
  }
  return sum;
}

}  // namespace

Daemon::Daemon(std::string config_file, Overrides overrides, Setup setup, Root root,
               std::shared_ptr<spdlog::logger> log)
    : config_file_{std::move(config_file)},
      overrides_{std::move(overrides)},
      setup_{std::move(setup)},
      root_{std::move(root)},
      log_{std::move(log)},
      responder_{setup_.config, setup_.keys},
      sampler_{static_cast<std::uint16_t>(::sysconf(_SC_CLK_TCK))} {}

int Daemon::run() {
  if (!setup_.warnings.empty()) log_->warn("{}", setup_.warnings);
  if (const auto done = listeners_.set(setup_.config.listen, setup_.config.port); !done) {
    log_->error("{}", done.error());
    return 1;
  }
  take_sample();
  ticker_.set(setup_.config.sample_interval);
  log_->info("answering on {}", string_from_listeners(listeners_.sockets()));
  ::sd_notify(0, "READY=1");
  while (running_)
    wait();
  ::sd_notify(0, "STOPPING=1");
  log_->info("stopped: {} requests answered, {} dropped", responder_.count(Outcome::answered),
             dropped(responder_));
  return 0;
}

void Daemon::wait() {
  std::vector<pollfd> waiting{{.fd = ticker_.fd(), .events = POLLIN, .revents = 0},
                              {.fd = signals_.fd(), .events = POLLIN, .revents = 0}};
  for (const auto& [where, socket] : listeners_.sockets()) {
    waiting.push_back({.fd = socket.fd(), .events = POLLIN, .revents = 0});
  }
  ::poll(waiting.data(), waiting.size(), -1);
  if (ticker_.take()) take_sample();
  for (auto& [where, socket] : listeners_.sockets())
    answer_waiting(socket);
  while (const auto signal = signals_.take())
    handle_signal(*signal);
}

/// Feeds the watchdog: an agent that cannot sample any more is restarted.
void Daemon::take_sample() {
  const auto& config = setup_.config;
  sampler_.take(read_snapshot(root_, config.drain_file), config.line_rate_mbit * 1'000'000);
  log_problems();
  ::sd_notify(0, fmt::format("WATCHDOG=1\nSTATUS={} requests answered, {} dropped{}",
                             responder_.count(Outcome::answered), dropped(responder_),
                             known_problems_.empty() ? "" : "; some measures are unknown")
                     .c_str());
}

/// Once when a measure becomes unknown and once when it is back.
void Daemon::log_problems() {
  std::set<Problem::Kind> kinds;
  for (const Problem& problem : sampler_.problems()) {
    kinds.insert(problem.kind);
    if (known_problems_.insert(problem.kind).second) log_->warn("left out: {}", problem.text);
  }
  if (kinds.size() < known_problems_.size()) log_->info("a measure that was left out is back");
  known_problems_ = std::move(kinds);
}

void Daemon::handle_signal(int signal) {
  if (signal == SIGHUP) {
    reload();
  } else {
    running_ = false;
  }
}

void Daemon::reload() {
  // MONOTONIC_USEC is what Type=notify-reload of systemd 253 wants to see.
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(monotonic_now());
  ::sd_notify(0, fmt::format("RELOADING=1\nMONOTONIC_USEC={}", now.count()).c_str());
  auto next = load_setup(config_file_, overrides_);
  const auto done =
      next ? listeners_.set(next->config.listen, next->config.port)
           : tl::expected<void, std::string>{tl::unexpected<std::string>{next.error()}};
  if (done) {
    setup_ = std::move(*next);
    set_up_log(*log_, setup_.config.log_level, setup_.config.log_format);
    responder_.reconfigure(setup_.config, setup_.keys);
    ticker_.set(setup_.config.sample_interval);
    if (!setup_.warnings.empty()) log_->warn("{}", setup_.warnings);
    log_->info("reloaded {}, answering on {}", config_file_,
               string_from_listeners(listeners_.sockets()));
  } else {
    log_->error("not reloaded, the running configuration stays\n{}", done.error());
  }
  ::sd_notify(0, "READY=1");
}

void Daemon::answer_waiting(UdpSocket& socket) {
  for (unsigned i = 0; i < datagrams_per_turn; ++i) {
    const auto received = socket.receive();
    if (!received) return;
    const Answer answer = responder_.answer(received->bytes, received->peer.source,
                                            received->peer.asked, monotonic_now(), sampler_.last());
    if (answer.outcome == Outcome::answered) {
      socket.send(answer.bytes, received->peer);
    } else {
      log_fault(answer.outcome, received->peer);
    }
  }
}

void Daemon::log_fault(Outcome outcome, const Peer& peer) {
  const auto count = log_limit_.count(static_cast<std::size_t>(outcome), monotonic_now());
  if (!count) return;
  log_->warn("dropped {} request(s): {}, the last one from {}", *count,
             string_from_outcome(outcome), ipvs::string_from_ip_address(peer.source));
}

}  // namespace lvs::agent
