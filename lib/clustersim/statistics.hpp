#pragma once

// Latencies: exact mean, quantiles within 0.4 %.

#include <cstdint>
#include <vector>

namespace lvs::clustersim {

/// A histogram whose bins are 1/128 of a power of two wide: constant memory, no sorting.
class Latencies {
 public:
  void add(double seconds);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }
  [[nodiscard]] double mean() const;                 ///< 0 without any
  [[nodiscard]] double quantile(double part) const;  ///< 0 without any; `part` in (0, 1]

 private:
  std::vector<std::uint64_t> bins_{};
  std::uint64_t count_{};
  double sum_{};
};

}  // namespace lvs::clustersim
