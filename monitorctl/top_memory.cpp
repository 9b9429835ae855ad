#include "monitorctl/top_memory.hpp"

#include <cstdint>
#include <utility>

#include "monitorctl/top_rows.hpp"

namespace lvs::monitorctl {
namespace {

/// Seconds of a cycle, from two that were seen; empty when the daemon or its clock began anew.
std::optional<double> cycle_length(const Status& before, double time_before, const Status& now,
                                   double time) {
  if (now.cycle <= before.cycle || time <= time_before) return std::nullopt;
  return (time - time_before) / static_cast<double>(now.cycle - before.cycle);
}

/// Per second over the last two points.
std::optional<double> last_rate(const std::vector<HistoryNumbers>& points) {
  if (points.size() < 2) return std::nullopt;
  const auto& last = points.back();
  const auto& before = points[points.size() - 2];
  if (!last.new_connections || !last.time || !before.time || *last.time <= *before.time) {
    return std::nullopt;
  }
  return *last.new_connections / (*last.time - *before.time);
}

}  // namespace

void TopMemory::take(Status status, double now) {
  sort_as_listed(status);
  const auto time = status.wall_time.value_or(now);
  const bool is_new_cycle = !status_ || status.cycle != status_->cycle || time != time_;
  if (status_ && is_new_cycle) {
    const auto length = cycle_length(*status_, time_, status, time);
    if (length) cycle_s_ = length;
  }
  before_index_ = {};
  before_ = std::move(status_);
  status_ = std::make_unique<const Status>(std::move(status));
  if (before_) before_index_ = StatusIndex(*before_);
  time_ = time;
  failure_.clear();
  add_points(is_new_cycle);
  forget_the_gone();
}

void TopMemory::add_points(bool is_new_cycle) {
  for (const auto& service : status_->services) {
    for (const auto& one : service.destinations) {
      auto& record = records_[{service.service, one.destination}];
      record.rate_before = record.rate;
      if (!is_new_cycle) continue;
      const auto weight =
          one.current ? std::optional(static_cast<double>(*one.current)) : std::nullopt;
      record.trail.add({time_, weight, one.cpu_busy});
      record.rate = std::nullopt;
      if (cycle_s_ && one.new_connections) {
        record.rate = static_cast<double>(*one.new_connections) / *cycle_s_;
      }
    }
  }
}

void TopMemory::forget_the_gone() {
  const auto oldest =
      TopTrail::part_of(time_) - static_cast<std::int64_t>(TopTrail::most_parts) + 1;
  std::erase_if(records_,
                [&](const auto& entry) { return entry.second.trail.is_older_than(oldest); });
}

void TopMemory::take_history(const TopName& name, const std::vector<HistoryNumbers>& points) {
  const auto found = records_.find(name);
  if (found == records_.end()) return;
  auto& record = found->second;
  TopTrail older;
  for (const auto& point : points) {
    if (point.time) older.add({*point.time, point.weight, point.cpu_busy});
  }
  record.trail.put_before(older);
  record.has_history = true;
  if (!record.rate) record.rate = record.rate_before = last_rate(points);
}

const TopRecord* TopMemory::record(const TopName& name) const {
  const auto found = records_.find(name);
  return found == records_.end() ? nullptr : &found->second;
}

}  // namespace lvs::monitorctl
