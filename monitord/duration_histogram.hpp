#pragma once

// How long something took, counted in buckets since the start. A value: no clock.

#include <array>
#include <cstddef>
#include <cstdint>

namespace lvs::monitord {

struct DurationHistogram {
  /// Upper bounds in seconds. An agent in the same rack answers within the first one, a cycle of
  /// some hundred destinations within the third; an interval is 2 s.
  static constexpr std::array<double, 11> bounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                 0.1,   0.25,   0.5,   1,    2};

  std::array<std::uint64_t, bounds.size() + 1> counts{};  ///< each without the smaller ones
  double sum_s{};

  void add(double seconds);
  [[nodiscard]] std::uint64_t count() const;
  /// The upper bound of the bucket in which that share (0..1) of all ended, in seconds; 0: nothing
  /// was counted, infinity: longer than the last bound.
  [[nodiscard]] double quantile(double share) const;

  friend bool operator==(const DurationHistogram&, const DurationHistogram&) = default;
};

}  // namespace lvs::monitord
