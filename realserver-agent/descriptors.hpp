#pragma once

// The kernel's timers and signals as file descriptors, for one poll().

#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <system_error>

namespace lvs::agent {

class Descriptor {
 public:
  /// `fd` negative: throws std::system_error of errno.
  Descriptor(int fd, const char* what) : fd_{fd} {
    if (fd < 0) throw std::system_error{errno, std::generic_category(), what};
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// Expires every interval. Missed expirations are skipped, not made up for.
class Ticker {
 public:
  Ticker() : fd_{::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), "timerfd_create"} {}

  void set(std::chrono::nanoseconds interval) const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(interval);
    const timespec time{.tv_sec = seconds.count(), .tv_nsec = (interval - seconds).count()};
    const itimerspec timer{.it_interval = time, .it_value = time};
    ::timerfd_settime(fd_.get(), 0, &timer, nullptr);
  }
  /// True once after each expiration, or after several of them.
  [[nodiscard]] bool take() const {
    std::uint64_t count{};
    return ::read(fd_.get(), &count, sizeof count) == sizeof count;
  }
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  Descriptor fd_;
};

/// SIGTERM, SIGINT and SIGHUP. Blocks them for the thread.
class Signals {
 public:
  Signals() : fd_{::signalfd(-1, blocked(), SFD_NONBLOCK | SFD_CLOEXEC), "signalfd"} {}

  /// The next signal that came in.
  [[nodiscard]] std::optional<int> take() const {
    signalfd_siginfo info{};
    if (::read(fd_.get(), &info, sizeof info) != sizeof info) return std::nullopt;
    return static_cast<int>(info.ssi_signo);
  }
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  static const sigset_t* blocked() {
    static sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
      ::sigaddset(&set, signal);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    return &set;
  }

  Descriptor fd_;
};

}  // namespace lvs::agent
