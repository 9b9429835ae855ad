#pragma once

// Lines on their way to a file, without anybody waiting for a disk: a bounded queue and a thread of
// its own.
//
// Threading: one thread calls, the recorder's own one writes. Errors: lines that do not fit into
// the queue or cannot be written are dropped and counted. Monitoring: status().

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "monitord/config.hpp"

namespace lvs::monitord {

class Recorder {
 public:
  struct Status {
    std::uint64_t written{};  ///< lines
    std::uint64_t dropped{};
    std::string problem{};  ///< why lines are dropped now; empty: they are not

    friend bool operator==(const Status&, const Status&) = default;
  };

  /// Some minutes of a table with thousands of destinations.
  static constexpr std::size_t default_queue_bytes = std::size_t{16} << 20U;

  explicit Recorder(RecordConfig config, std::size_t queue_bytes = default_queue_bytes);
  /// Writes what is queued, for at most two seconds.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Never blocks.
  void take(std::string line);
  /// The file is opened anew before the next line.
  void reopen(RecordConfig config);
  /// What is queued is still written, but nobody waits for it. The last call.
  void finish_in_background();

  [[nodiscard]] Status status() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace lvs::monitord
