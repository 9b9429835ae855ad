#include "monitord/history.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <utility>

namespace lvs::monitord {
namespace {

using Ids = HistoryFrame::Ids;

DestinationId id_of(const Verdict& verdict) {
  return {verdict.service, verdict.destination};
}

/// Of the destination that a line of the log is about.
std::optional<DestinationId> id_of(const LogLine& line) {
  const auto service = ipvs::service_key_from_string(field_of(line, "service"));
  const auto destination = ipvs::destination_key_from_string(field_of(line, "destination"));
  if (!service || !destination) return std::nullopt;
  return DestinationId{*service, *destination};
}

bool are_ids_of(const Ids& ids, const std::vector<const Verdict*>& verdicts) {
  return std::ranges::equal(ids, verdicts, {}, {},
                            [](const Verdict* verdict) { return id_of(*verdict); });
}

std::shared_ptr<const Ids> ids_of(const std::vector<const Verdict*>& verdicts) {
  Ids ids;
  ids.reserve(verdicts.size());
  for (const auto* verdict : verdicts)
    ids.push_back(id_of(*verdict));
  return std::make_shared<const Ids>(std::move(ids));
}

float number(const std::optional<double>& value) {
  return value ? static_cast<float>(*value) : HistoryPoint::unknown;
}

HistoryPoint point_of(const Verdict& verdict, std::uint64_t new_connections) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  return {verdict.current,
          verdict.target ? static_cast<float>(*verdict.target) : HistoryPoint::unknown,
          number(verdict.cpu_busy),
          number(verdict.mem_available),
          number(verdict.composite),
          verdict.active,
          static_cast<std::uint32_t>(std::min(new_connections, most))};
}

/// How far frames have to lie apart.
Moment spacing_of(std::size_t destinations) {
  const auto share = static_cast<double>(destinations) / static_cast<double>(History::most_points);
  const auto wanted = static_cast<Moment::rep>(static_cast<double>(History::span.count()) * share);
  return std::max(History::least_spacing, Moment{wanted});
}

}  // namespace

std::optional<std::size_t> index_of(const Ids& ids, const DestinationId& id) {
  const auto found = std::ranges::lower_bound(ids, id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return static_cast<std::size_t>(found - ids.begin());
}

bool History::is_due(const CycleReport& report) const {
  if (frames_.empty()) return true;
  return report.now - frames_.back()->now >= spacing_of(report.verdicts.size());
}

void History::add(const CycleReport& report) {
  while (!frames_.empty() && report.now - frames_.front()->now > span)
    frames_.pop_front();
  if (!report.degraded.empty()) return;
  const auto verdicts = verdicts_in_order(report);
  if (!pending_ids_ || !are_ids_of(*pending_ids_, verdicts)) {
    pending_ids_ = ids_of(verdicts);
    pending_.assign(verdicts.size(), 0);
  }
  take_writes();
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    pending_[i] += verdicts[i]->new_connections;
  if (!is_due(report)) return;
  HistoryFrame frame{report.now, report.wall_time, pending_ids_, {}};
  frame.points.reserve(verdicts.size());
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    frame.points.push_back(point_of(*verdicts[i], std::exchange(pending_[i], 0)));
  frames_.push_back(std::make_shared<const HistoryFrame>(std::move(frame)));
}

/// Those who read the last one keep it: what is there is never changed.
void History::take_writes() {
  if (last_writes_ && last_writes_->ids == pending_ids_ && new_writes_.empty()) return;
  auto next = std::make_shared<LastWrites>();
  next->ids = pending_ids_;
  if (last_writes_ && last_writes_->ids == pending_ids_) {
    next->writes = last_writes_->writes;
  } else {
    next->writes.resize(pending_ids_->size());
    for (std::size_t i = 0; last_writes_ && i < last_writes_->ids->size(); ++i) {
      if (const auto place = index_of(*pending_ids_, (*last_writes_->ids)[i])) {
        next->writes[*place] = last_writes_->writes[i];
      }
    }
  }
  for (auto& write : std::exchange(new_writes_, {})) {
    const auto id = id_of(write->line);
    const auto place = id ? index_of(*pending_ids_, *id) : std::nullopt;
    if (place) next->writes[*place] = std::move(write);
  }
  last_writes_ = std::move(next);
}

const HistoryEvent* History::last_write(const DestinationId& id) const {
  const auto place = last_writes_ ? index_of(*last_writes_->ids, id) : std::nullopt;
  return place ? last_writes_->writes[*place].get() : nullptr;
}

void History::add(HistoryEvent event) {
  events_.push_back(std::make_shared<const HistoryEvent>(std::move(event)));
  if (events_.back()->line.event == "weight") new_writes_.push_back(events_.back());
  if (events_.size() > most_events) events_.pop_front();
}

std::vector<TimedPoint> History::series(const DestinationId& id, Moment since) const {
  const auto begin = std::ranges::partition_point(
      frames_, [since](const auto& frame) { return frame->now < since; });
  std::vector<TimedPoint> series;
  // The table seldom changes: looked up once for all frames that share its ids.
  const Ids* ids = nullptr;
  std::optional<std::size_t> index;
  for (auto frame = begin; frame != frames_.end(); ++frame) {
    if (ids != (*frame)->ids.get()) {
      ids = (*frame)->ids.get();
      index = index_of(*ids, id);
    }
    const auto after =
        frame == frames_.begin() ? Moment{} : (*frame)->now - (*std::prev(frame))->now;
    if (index)
      series.push_back({(*frame)->now, after, (*frame)->wall_time, (*frame)->points[*index]});
  }
  return series;
}

}  // namespace lvs::monitord
