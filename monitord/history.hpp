#pragma once

// What was, for page and CLI: one hour of the numbers of every destination, and the last events.
// A value that grows by a finished cycle. Frames and events are immutable and shared, so a copy for
// a reader on another thread costs some thousand pointers, whatever the number of destinations.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "monitord/log_line.hpp"
#include "monitord/orders.hpp"
#include "monitord/report.hpp"

namespace lvs::monitord {

/// Numbers of one destination in one cycle. NaN is unknown.
struct HistoryPoint {
  static constexpr float unknown = std::numeric_limits<float>::quiet_NaN();

  std::uint32_t weight{};  ///< the kernel's
  float target{unknown};
  float cpu_busy{unknown}, mem_available{unknown}, composite{unknown};  ///< C, M, F
  std::uint32_t active{};
  std::uint32_t new_connections{};  ///< since the frame before
};

/// A cycle that was kept.
struct HistoryFrame {
  using Ids = std::vector<DestinationId>;

  Moment now{};
  double wall_time{};
  std::shared_ptr<const Ids> ids{};    ///< sorted; shared as long as the table stays the same
  std::vector<HistoryPoint> points{};  ///< one for each of them
};

/// A line of the log with its time.
struct HistoryEvent {
  double wall_time{};
  LogLine line{};

  friend bool operator==(const HistoryEvent&, const HistoryEvent&) = default;
};

/// A point of one destination's series.
struct TimedPoint {
  Moment now{};
  Moment after{};  ///< the frame before; 0: this is the first one
  double wall_time{};
  HistoryPoint point{};
};

class History {
 public:
  static constexpr Moment span = std::chrono::hours{1};
  /// More frames than this within the hour tell nobody more.
  static constexpr Moment least_spacing = std::chrono::milliseconds{1500};
  /// Points of all destinations together: some 14 MB. A larger table is kept more rarely, so that
  /// the hour stays whole.
  static constexpr std::size_t most_points = 500'000;
  static constexpr std::size_t most_events = 200;

  /// Takes a cycle in; one whose table could not be read leaves a gap.
  void add(const CycleReport& report);
  void add(HistoryEvent event);

  /// Oldest first.
  [[nodiscard]] const std::deque<std::shared_ptr<const HistoryFrame>>& frames() const {
    return frames_;
  }
  [[nodiscard]] const std::deque<std::shared_ptr<const HistoryEvent>>& events() const {
    return events_;
  }

  /// The last write of its weight that was told, also one that is not among the last events any
  /// more; null: none since the start, or since it came back to the table.
  [[nodiscard]] const HistoryEvent* last_write(const DestinationId& id) const;

  /// From `since` on, oldest first; cycles in which it was not there are missing.
  [[nodiscard]] std::vector<TimedPoint> series(const DestinationId& id,
                                               Moment since = Moment::min()) const;

 private:
  [[nodiscard]] bool is_due(const CycleReport& report) const;
  void take_writes();

  std::deque<std::shared_ptr<const HistoryFrame>> frames_{};
  std::deque<std::shared_ptr<const HistoryEvent>> events_{};
  /// By the ids that were there when it was made; another one where something changes.
  struct LastWrites {
    std::shared_ptr<const HistoryFrame::Ids> ids{};
    std::vector<std::shared_ptr<const HistoryEvent>> writes{};
  };
  std::shared_ptr<const LastWrites> last_writes_{};
  std::vector<std::shared_ptr<const HistoryEvent>> new_writes_{};  ///< of the cycle under way
  /// New connections of the cycles that were not kept, by the ids of the last one seen.
  std::shared_ptr<const HistoryFrame::Ids> pending_ids_{};
  std::vector<std::uint64_t> pending_{};
};

/// Where `id` is among sorted ids; empty: it is not.
std::optional<std::size_t> index_of(const HistoryFrame::Ids& ids, const DestinationId& id);

}  // namespace lvs::monitord
