#pragma once

// A director that is made up, as `monitorctl top` sees it.

#include <cstdint>
#include <string>
#include <thread>

#include "monitorctl/status_document.hpp"
#include "monitorctl/top_memory.hpp"
#include "plainfile/file_descriptor.hpp"

namespace lvs::monitorctl::testing {

/// What monitord says after that many cycles of 2 s; weight and CPU of its first destination move.
Status top_status(std::uint64_t cycle);
/// A poll a cycle, up to that one.
TopMemory top_memory(std::uint64_t cycles);

/// Answers on a Unix socket as monitord does; every question for its status is a cycle later.
class FakeDaemon {
 public:
  explicit FakeDaemon(std::string path, std::uint64_t first_cycle = 300);
  ~FakeDaemon();
  FakeDaemon(const FakeDaemon&) = delete;
  FakeDaemon& operator=(const FakeDaemon&) = delete;

 private:
  void serve();
  std::string answer(const std::string& line);

  std::string path_;
  std::uint64_t cycle_;
  FileDescriptor listener_{};
  std::thread thread_{};
};

}  // namespace lvs::monitorctl::testing
