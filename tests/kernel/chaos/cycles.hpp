#pragma once

// Whether monitord's cycles come when they should (law 8), from what it counts itself. Pure.

#include <cstdint>
#include <optional>

#include "kernel/chaos/judge.hpp"

namespace lvs::chaos {

class Cycles {
 public:
  /// What monitord said at that moment. A smaller number is another process's.
  void seen(Moment at, std::uint64_t cycle) {
    if (last_ && cycle >= last_->cycle) {
      counted_ += cycle - last_->cycle;
      time_ += at - last_->at;
    }
    last_ = Sample{at, cycle};
  }

  /// The time until the next sample does not count: monitord was stopped in it.
  void forget() { last_.reset(); }

  [[nodiscard]] std::uint64_t counted() const { return counted_; }
  [[nodiscard]] std::uint64_t expected(Moment interval) const {
    return static_cast<std::uint64_t>(time_ / interval);
  }

 private:
  struct Sample {
    Moment at{};
    std::uint64_t cycle{};
  };
  std::optional<Sample> last_{};
  std::uint64_t counted_{};
  Moment time_{};
};

}  // namespace lvs::chaos
