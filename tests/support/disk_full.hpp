#pragma once

#include <sys/resource.h>

#include <csignal>

namespace lvs::testing {

/// Files beyond so many bytes fail with EFBIG instead of a signal: a disk that is full.
class DiskFull {
 public:
  explicit DiskFull(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    auto limited = old_;
    limited.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~DiskFull() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  DiskFull(const DiskFull&) = delete;
  DiskFull& operator=(const DiskFull&) = delete;

 private:
  rlimit old_{};
  void (*old_handler_)(int){};
};

}  // namespace lvs::testing
