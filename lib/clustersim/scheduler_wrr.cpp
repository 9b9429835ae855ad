// ip_vs_wrr.c: the walk. Everybody with a weight of at least the current level gets one connection;
// at the end of the list the level falls by the gcd of all weights.

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "clustersim/scheduler.hpp"

namespace lvs::clustersim {
namespace {

class WeightedRoundRobin : public Scheduler {
 public:
  std::optional<std::size_t> pick(const Destinations& destinations, std::uint32_t source) override;
  void edited(const Destinations& destinations) override;

 private:
  static constexpr std::int64_t head = -1;  ///< the list's head, before the first destination

  std::int64_t place_{head};  ///< mark->cl
  std::int64_t level_{};      ///< mark->cw
  std::int64_t highest_{};    ///< mark->mw
  std::int64_t step_{1};      ///< mark->di
};

/// ip_vs_wrr_dest_changed: back to the head; the level stays as far as the weights allow.
void WeightedRoundRobin::edited(const Destinations& destinations) {
  std::uint32_t divisor = 0;
  std::uint32_t most = 0;
  for (auto const weight : destinations.weight) {
    divisor = std::gcd(divisor, weight);
    most = std::max(most, weight);
  }
  place_ = head;
  step_ = divisor > 0 ? divisor : 1;
  highest_ = most - (step_ - 1);
  if (level_ > highest_ || level_ == 0) {
    level_ = highest_;
  } else if (step_ > 1) {
    level_ = level_ / step_ * step_ + 1;
  }
}

/// ip_vs_wrr_schedule, without its destinations that are over their upper threshold.
std::optional<std::size_t> WeightedRoundRobin::pick(const Destinations& destinations,
                                                    std::uint32_t /*source*/) {
  if (highest_ == 0) return std::nullopt;
  auto const count = static_cast<std::int64_t>(destinations.size());
  auto const last = place_;
  auto stop = head;
  bool last_pass = false;
  bool restarted = false;
  while (true) {
    for (++place_; place_ < count; ++place_) {
      auto const index = static_cast<std::size_t>(place_);
      if (destinations.weight[index] >= level_) return index;
      if (place_ == stop) return std::nullopt;
    }
    place_ = head;
    level_ -= step_;
    if (level_ <= 0) {
      level_ = highest_;
      if (last_pass || last == head) return std::nullopt;
      restarted = true;
    }
    last_pass = level_ <= step_;
    if (last_pass && restarted && last != head) stop = last;
  }
}

}  // namespace

std::unique_ptr<Scheduler> make_wrr() {
  return std::make_unique<WeightedRoundRobin>();
}

}  // namespace lvs::clustersim
