#pragma once

// What the daemon records: cycles as lines for the recorder, and its state as notes.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "monitord/config.hpp"
#include "monitord/recorder.hpp"
#include "monitord/recording.hpp"

namespace lvs::monitord {

class CycleRecorder {
 public:
  CycleRecorder() = default;
  explicit CycleRecorder(const RecordConfig& config) { configure(config); }

  /// Begins, ends, or opens its file anew. Never blocks.
  void configure(const RecordConfig& config);

  /// One finished cycle; nothing when no file is configured. Never blocks.
  void record(const Observations& seen, const State& state, std::span<const Applied> applied,
              double wall_time);

  /// What does not work, or did not, and how many cycles that cost. Empty: all is recorded.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  std::unique_ptr<Recorder> recorder_{};
  std::string file_{};
  Readings before_{};  ///< of the cycle before
  bool start_{true};
};

}  // namespace lvs::monitord
