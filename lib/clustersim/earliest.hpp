#pragma once

// The earliest of n times of which one changes at a time: a tournament. O(log n) per change.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lvs::clustersim {

class Earliest {
 public:
  explicit Earliest(std::size_t count)
      : leaves_(std::bit_ceil(count < 2 ? std::size_t{2} : count)),
        times_(leaves_, std::numeric_limits<double>::infinity()),
        winners_(leaves_) {
    for (std::size_t node = leaves_ - 1; node >= 1; --node)
      winners_[node] = winner_of(2 * node);
  }

  void set(std::size_t index, double time) {
    times_[index] = time;
    for (std::size_t node = (leaves_ + index) / 2; node >= 1; node /= 2) {
      auto const left = winner_of(2 * node);
      auto const right = winner_of(2 * node + 1);
      winners_[node] = times_[right] < times_[left] ? right : left;
    }
  }

  /// The first of those with the least time.
  [[nodiscard]] std::size_t index() const { return winners_[1]; }
  [[nodiscard]] double time() const { return times_[winners_[1]]; }

 private:
  [[nodiscard]] std::uint32_t winner_of(std::size_t node) const {
    return node < leaves_ ? winners_[node] : static_cast<std::uint32_t>(node - leaves_);
  }

  std::size_t leaves_;
  std::vector<double> times_;
  std::vector<std::uint32_t> winners_;
};

}  // namespace lvs::clustersim
