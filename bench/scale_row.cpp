#include "bench/scale_row.hpp"

#include <algorithm>
#include <cmath>

#include "bench/measured_row.hpp"
#include "monitord/history.hpp"

namespace lvs::bench {
namespace {

template <typename Number>
std::vector<double> each(const std::vector<ScaleRow>& rounds, Number number) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const auto& round : rounds)
    values.push_back(number(round));
  return values;
}

Spread merged_spread(const std::vector<ScaleRow>& rounds, Spread ScaleRow::*spread) {
  const auto of = [&](double Spread::*figure) {
    return each(rounds, [&](const ScaleRow& round) { return round.*spread.*figure; });
  };
  return {median_of(of(&Spread::p50)), median_of(of(&Spread::p99)),
          std::ranges::max(of(&Spread::max))};
}

}  // namespace

ScaleRow merged(const std::vector<ScaleRow>& rounds) {
  ScaleRow row;
  row.servers = rounds.front().servers;
  for (const auto& [name, figure] : scale_figures)
    row.*figure =
        median_of(each(rounds, [member = figure](const ScaleRow& round) { return round.*member; }));
  for (const auto& [name, spread] : scale_spreads)
    row.*spread = merged_spread(rounds, spread);
  row.seconds = 0;
  row.peak_mib = 0;
  for (const auto& round : rounds) {
    row.seconds += round.seconds;
    row.peak_mib = std::max(row.peak_mib, round.peak_mib);
    for (const auto& [name, count] : scale_counts)
      row.*count += round.*count;
  }
  return row;
}

double writes_per_server_minute(const ScaleRow& row) {
  const auto minutes = static_cast<double>(row.servers) * row.seconds / 60;
  return minutes > 0 ? static_cast<double>(row.writes) / minutes : 0;
}

double history_mib(std::size_t servers, std::chrono::nanoseconds interval,
                   std::chrono::nanoseconds age) {
  using monitord::History;
  constexpr double mib = 1 << 20U;
  using Seconds = std::chrono::duration<double>;
  const auto seconds = [](auto time) { return Seconds(time).count(); };
  const auto destinations = static_cast<double>(servers);
  const auto asked = std::max(seconds(History::least_spacing),
                              seconds(History::span) * destinations / History::most_points);
  // A frame is a cycle.
  const auto spacing = std::ceil(asked / seconds(interval)) * seconds(interval);
  const auto frames = std::floor(std::min(seconds(age), seconds(History::span)) / spacing) + 1;
  return frames * destinations * sizeof(monitord::HistoryPoint) / mib;
}

}  // namespace lvs::bench
