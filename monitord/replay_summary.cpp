#include "monitord/replay_summary.hpp"
#include "monitord/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <string_view>

namespace lvs::monitord {
namespace {

double seconds_of(Moment duration) {
  return std::chrono::duration<double>(duration).count();
}

/// "8h 0m 3s", without leading zeros.
std::string span_text(double seconds) {
  const auto all = static_cast<std::int64_t>(seconds);
  std::string text;
  if (all >= 3600) text += fmt::format("{}h ", all / 3600);
  if (all >= 60) text += fmt::format("{}m ", all / 60 % 60);
  return text + fmt::format("{}s", all % 60);
}

/// Wall time in UTC: the recording's machine and this one may have different zones.
std::string utc_text(double wall_time) {
  using namespace std::chrono;
  const sys_seconds moment{std::chrono::seconds{static_cast<std::int64_t>(std::floor(wall_time))}};
  const auto day = floor<days>(moment);
  const year_month_day date{day};
  const hh_mm_ss time{moment - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string range_text(std::uint32_t smallest, std::uint32_t largest) {
  return smallest == largest ? fmt::to_string(smallest) : fmt::format("{}-{}", smallest, largest);
}

double share_of(std::uint32_t weight, std::uint64_t sum) {
  return sum == 0 ? 0.0 : static_cast<double>(weight) / static_cast<double>(sum);
}

}  // namespace

void ReplaySummary::Weights::add(std::uint32_t weight, double share, bool is_first) {
  if (is_first) first = smallest = largest = weight;
  last = weight;
  smallest = std::min(smallest, weight);
  largest = std::max(largest, weight);
  shares += share;
}

void ReplaySummary::add(const RecordedCycle& recorded, const ReplayedCycle& replayed) {
  const auto now = replayed.recorded_at;
  if (cycles_ == 0) first_ = now;
  if (cycles_ > 0 && !recorded.start) {
    longest_gap_ = std::max(longest_gap_, now - last_);
    watched_s_ += seconds_of(now - last_);
    ++gaps_;
  }
  last_ = now;
  if (!first_wall_time_) first_wall_time_ = recorded.wall_time;
  if (recorded.wall_time) last_wall_time_ = recorded.wall_time;
  ++cycles_;
  add_recorded(recorded);
  add_replayed(replayed);
}

void ReplaySummary::add_recorded(const RecordedCycle& recorded) {
  for (const auto& entry : recorded.seen.table) {
    auto& service = services_[entry.service.key];
    service.scheduler = entry.service.scheduler;
    std::uint64_t sum = 0;
    for (const auto& seen : entry.destinations)
      sum += seen.weight;
    for (const auto& seen : entry.destinations) {
      auto& destination = service.destinations[seen.key];
      destination.recorded.add(seen.weight, share_of(seen.weight, sum), destination.cycles == 0);
      ++destination.cycles;
    }
  }
  for (const auto& [id, weight] : recorded.written)
    ++services_[id.service].destinations[id.destination].recorded.writes;
}

/// The verdicts of a service stand together.
void ReplaySummary::add_replayed(const ReplayedCycle& replayed) {
  std::map<ipvs::ServiceKey, std::uint64_t> sums;
  for (const auto& verdict : replayed.verdicts)
    sums[verdict.service] += verdict.current;
  for (const auto& verdict : replayed.verdicts) {
    auto& destination = services_[verdict.service].destinations[verdict.destination];
    // add_recorded() was first: the first cycle is the one that it counted as 1.
    destination.replayed.add(verdict.current, share_of(verdict.current, sums[verdict.service]),
                             destination.cycles == 1);
    // What the last cycle writes is the weight that stands in the end.
    if (verdict.write) {
      destination.replayed.last = *verdict.write;
      destination.replayed.smallest = std::min(destination.replayed.smallest, *verdict.write);
      destination.replayed.largest = std::max(destination.replayed.largest, *verdict.write);
      ++destination.replayed.writes;
    }
    ++outcomes_[verdict.outcome];
  }
}

std::string ReplaySummary::head(Moment interval) const {
  auto text = fmt::format("{} {} in {}, t {} to {}", cycles_, cycles_ == 1 ? "cycle" : "cycles",
                          span_text(watched_s_), seconds_text(first_), seconds_text(last_));
  if (first_wall_time_ && last_wall_time_) {
    text += fmt::format(" ({} to {})", utc_text(*first_wall_time_), utc_text(*last_wall_time_));
  }
  text += '\n';
  if (gaps_ == 0) return text;
  const double mean = watched_s_ / static_cast<double>(gaps_);
  const double expected = seconds_of(interval);
  if (longest_gap_ > 3 * interval) {
    text += fmt::format("longest time without a line: {:.1f} s\n", seconds_of(longest_gap_));
  }
  if (mean < expected / 2 || mean > 2 * expected) {
    text += fmt::format(
        "the recording has a line every {:.1f} s, the configuration an interval of {:.1f} s: the "
        "age of readings is judged by the latter\n",
        mean, expected);
  }
  return text;
}

std::string ReplaySummary::cells(const Weights& weights, std::uint64_t cycles) {
  return fmt::format("{:>6} {:>6} {:>9} {:>6.1f}% {:>7}", weights.first, weights.last,
                     range_text(weights.smallest, weights.largest),
                     100 * weights.shares / static_cast<double>(cycles), weights.writes);
}

std::string ReplaySummary::service_text(const ipvs::ServiceKey& key, const Service& service) {
  constexpr std::string_view columns = " Start    End     Range   Share  Writes";
  std::size_t width = std::string_view("Destination").size();
  for (const auto& [name, destination] : service.destinations)
    width = std::max(width, ipvs::string_from_destination_key(name).size());
  auto out = fmt::format("\n{} {}\n     {:{}}  {:<{}}   Recorded\n  -> {:{}}  {}   {}\n",
                         ipvs::string_from_service_key(key), service.scheduler, "", width,
                         "Replayed", columns.size(), "Destination", width, columns, columns);
  for (const auto& [name, destination] : service.destinations) {
    fmt::format_to(std::back_inserter(out), "  -> {:{}}  {}   {}\n",
                   ipvs::string_from_destination_key(name), width,
                   cells(destination.replayed, destination.cycles),
                   cells(destination.recorded, destination.cycles));
  }
  return out;
}

std::string ReplaySummary::text(Moment interval) const {
  if (cycles_ == 0) return "the recording is empty\n";
  auto out = head(interval);
  for (const auto& [key, service] : services_)
    out += service_text(key, service);
  out += "\nOutcomes:";
  for (const auto& [outcome, count] : outcomes_)
    out += fmt::format(" {} {}", string_from_outcome(outcome), count);
  return out + "\n";
}

std::string changes_from_replayed(const RecordedCycle& recorded, const ReplayedCycle& replayed) {
  std::string lines;
  for (const auto& verdict : replayed.verdicts) {
    if (!verdict.write) continue;
    const auto when = recorded.wall_time ? utc_text(*recorded.wall_time)
                                         : "t " + seconds_text(replayed.recorded_at);
    fmt::format_to(std::back_inserter(lines), "{} {} {} {} -> {}: {}: {}\n", when,
                   ipvs::string_from_service_key(verdict.service),
                   ipvs::string_from_destination_key(verdict.destination), verdict.current,
                   *verdict.write, string_from_outcome(verdict.outcome), reason_of(verdict));
  }
  return lines;
}

}  // namespace lvs::monitord
