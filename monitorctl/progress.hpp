#pragma once

// The progress of long work on stderr, where that is a terminal.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "monitorctl/progress_line.hpp"

namespace lvs::monitorctl {

/// Who waits wants to know how long; who reads a log does not. Called from one thread at a time.
class Progress {
 public:
  /// Shows nothing unless `wanted`, and on a terminal that cannot write over a line (TERM=dumb).
  Progress(std::uint64_t total, std::string unit, bool wanted);
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void reached(std::uint64_t done);
  /// Before something goes to stdout, which may be the same terminal.
  void make_room();

 private:
  void erase();

  std::optional<ProgressLine> line_{};  ///< none: nothing is shown
  std::chrono::steady_clock::time_point started_{std::chrono::steady_clock::now()};
};

/// Of plain files together; 0 when one of them is none, and its end is not known.
std::uint64_t bytes_in_files(const std::vector<std::string>& paths);

}  // namespace lvs::monitorctl
