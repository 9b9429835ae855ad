#include "monitorctl/top_trail.hpp"

#include <algorithm>
#include <cmath>

namespace lvs::monitorctl {

std::int64_t TopTrail::part_of(double time) {
  // Far beyond every date, and far from what does not fit.
  constexpr double far = 1e15;
  return static_cast<std::int64_t>(std::floor(std::clamp(time, -far, far) / part_s));
}

void TopTrail::add(const TopPoint& point) {
  const auto number = part_of(point.time);
  if (!parts_.empty() && number < parts_.back().number) parts_.clear();
  if (parts_.empty() || parts_.back().number != number) parts_.push_back({number, {}, {}});
  if (parts_.size() > most_parts) parts_.erase(parts_.begin());
  const auto count = [](const std::optional<double>& value, Sum& sum) {
    if (!value) return;
    sum.sum += *value;
    ++sum.count;
  };
  count(point.weight, parts_.back().weight);
  count(point.cpu_busy, parts_.back().cpu);
  if (point.weight && weight_ && *point.weight != *weight_) {
    turn_ = *point.weight > *weight_ ? Turn::up : Turn::down;
  }
  if (point.weight) weight_ = point.weight;
}

void TopTrail::put_before(const TopTrail& older) {
  auto before = older.parts_;
  if (!parts_.empty()) {
    std::erase_if(before, [&](const Part& part) { return part.number >= parts_.front().number; });
  }
  parts_.insert(parts_.begin(), before.begin(), before.end());
  if (parts_.size() > most_parts) {
    parts_.erase(parts_.begin(), parts_.end() - std::ptrdiff_t{most_parts});
  }
  if (turn_ == Turn::none) turn_ = older.turn_;
  if (!weight_) weight_ = older.weight_;
}

TopTrail::Means TopTrail::means(Sum Part::*sum, std::int64_t last, std::size_t count) const {
  Means found(count);
  for (const auto& part : parts_) {
    const auto back = last - part.number;  // 0: the last part
    const auto& [total, values] = part.*sum;
    if (back < 0 || back >= static_cast<std::int64_t>(count) || values == 0) continue;
    found[count - 1 - static_cast<std::size_t>(back)] = total / values;
  }
  return found;
}

TopTrail::Means TopTrail::weights(std::int64_t last, std::size_t count) const {
  return means(&Part::weight, last, count);
}

TopTrail::Means TopTrail::cpu(std::int64_t last, std::size_t count) const {
  return means(&Part::cpu, last, count);
}

double TopTrail::highest_weight() const {
  double highest = 0;
  for (const auto& part : parts_) {
    if (part.weight.count > 0) highest = std::max(highest, part.weight.sum / part.weight.count);
  }
  return highest;
}

}  // namespace lvs::monitorctl
