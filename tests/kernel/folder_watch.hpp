#pragma once

// Wakes up when something happens to the files of a folder.

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>

#include "plainfile/file_descriptor.hpp"

namespace lvs::guest {

class FolderWatch {
 public:
  explicit FolderWatch(const std::string& folder) : file_(::inotify_init1(IN_CLOEXEC)) {
    constexpr auto changes = IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE;
    if (::inotify_add_watch(file_.get(), folder.c_str(), changes) < 0) {
      throw std::system_error(errno, std::generic_category(), folder);
    }
  }

  /// Returns right after the change number `count` from now on, or when nothing happens for a
  /// while. What comes in one go counts once.
  void wait_for(int count) {
    for (int seen = 0; seen < count; ++seen) {
      constexpr int patience_ms = 4'000;
      pollfd watched{file_.get(), POLLIN, 0};
      if (::poll(&watched, 1, patience_ms) <= 0) return;
      take();
    }
  }

  /// What happened so far does not count.
  void forget() {
    pollfd watched{file_.get(), POLLIN, 0};
    while (::poll(&watched, 1, 0) > 0)
      take();
  }

 private:
  void take() {
    std::array<std::byte, 4096> events{};
    if (::read(file_.get(), events.data(), events.size()) <= 0) {
      throw std::system_error(errno, std::generic_category(), "inotify");
    }
  }

  FileDescriptor file_;
};

}  // namespace lvs::guest
