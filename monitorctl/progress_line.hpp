#pragma once

// How far long work is, as one line of a terminal that is written over itself. Pure: time is an
// argument.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace lvs::monitorctl {

struct ProgressState {
  std::uint64_t done{};
  std::uint64_t total{};  ///< 0: nobody knows
  std::string unit{};     ///< "runs"; "MB": done and total are bytes
  std::chrono::milliseconds elapsed{};
};

/// " 43 % [########            ] 12 of 28 runs, 0:34 left"; at most `columns` wide.
std::string progress_text(const ProgressState& state, std::size_t columns);

/// When a line is drawn anew, and what takes it away again.
class ProgressLine {
 public:
  using Time = std::chrono::milliseconds;  ///< since the work began

  ProgressLine(std::uint64_t total, std::string unit, std::size_t columns)
      : state_{0, total, std::move(unit), {}}, columns_(columns) {}

  /// What to print now: nothing within 300 ms of the start, so that short work leaves no flicker,
  /// and within 100 ms of the last line.
  std::string reached(std::uint64_t done, Time now);
  /// Takes the line away; nothing where there is none.
  std::string erased();

 private:
  ProgressState state_;
  std::size_t columns_;
  std::optional<Time> drawn_{};
  bool visible_{};
};

}  // namespace lvs::monitorctl
