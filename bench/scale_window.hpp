#pragma once

// The cycles that are measured: those after the warm-up, whole ones.
//
// Threading: the daemon's loop, whose CPU time is asked for.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "bench/scale_row.hpp"
#include "monitord/daemon.hpp"
#include "monitord/report.hpp"

namespace lvs::bench {

/// CPU seconds of all threads of this process, and of the calling one, so far.
double process_cpu_s();
double thread_cpu_s();

class ScaleWindow {
 public:
  struct Size {
    double seconds{};
    unsigned warm_up{};  ///< cycles, at least 1
    std::chrono::nanoseconds interval{};
  };

  /// `table_s`: CPU seconds that went into the table so far.
  ScaleWindow(Size size, std::function<double()> table_s)
      : size_(size), table_s_(std::move(table_s)) {}

  /// After each cycle. True: all that was to be measured has been.
  bool take(const monitord::CycleTimes& times, const monitord::CycleReport& report);

  /// What was measured, but for memory.
  [[nodiscard]] ScaleRow row(std::size_t servers) const;

 private:
  struct Snapshot {
    monitord::Moment at{};
    double process_s{}, thread_s{}, table_s{};
    monitord::PollCounters polls{};
    std::uint64_t writes{};
  };

  [[nodiscard]] Snapshot snapshot(const monitord::CycleTimes& times,
                                  const monitord::CycleReport& report) const;

  Size size_;
  std::function<double()> table_s_;
  std::uint64_t seen_{};
  Snapshot begin_{}, end_{};
  std::vector<double> cycles_ms_{}, lateness_ms_{};
  std::uint64_t late_{};
};

}  // namespace lvs::bench
