#pragma once

// How a destination's weight and CPU went over the last ten minutes, as means over equal parts of
// time. Parts begin at fixed moments, so a sparkline moves on as a whole once a part and is calm in
// between. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lvs::monitorctl {

/// Numbers of a destination at a moment.
struct TopPoint {
  double time{};  ///< seconds since the epoch
  std::optional<double> weight{}, cpu_busy{};
};

enum class Turn { none, up, down };

class TopTrail {
 public:
  static constexpr double part_s = 20;
  static constexpr std::size_t most_parts = 30;
  /// Means, oldest first; empty where nothing is known.
  using Means = std::vector<std::optional<double>>;

  static std::int64_t part_of(double time);

  /// A moment before the last one (somebody set the clock back) begins anew.
  void add(const TopPoint& point);
  /// What was before the first point of this one.
  void put_before(const TopTrail& older);

  /// Which way the weight went when it changed last.
  [[nodiscard]] Turn last_turn() const { return turn_; }
  /// Of the `count` parts that end with `last`.
  [[nodiscard]] Means weights(std::int64_t last, std::size_t count) const;
  [[nodiscard]] Means cpu(std::int64_t last, std::size_t count) const;
  /// 0 when none is known.
  [[nodiscard]] double highest_weight() const;
  [[nodiscard]] bool is_older_than(std::int64_t part) const {
    return parts_.empty() || parts_.back().number < part;
  }

 private:
  struct Sum {
    double sum{};
    unsigned count{};
  };
  struct Part {
    std::int64_t number{};
    Sum weight{}, cpu{};
  };

  [[nodiscard]] Means means(Sum Part::*sum, std::int64_t last, std::size_t count) const;

  std::vector<Part> parts_{};  ///< by number, at most most_parts
  std::optional<double> weight_{};
  Turn turn_{Turn::none};
};

}  // namespace lvs::monitorctl
