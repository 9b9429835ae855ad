#include "monitord/page_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "monitord/chart.hpp"
#include "monitord/html.hpp"
#include "monitord/reasons.hpp"

namespace lvs::monitord {
namespace {

constexpr Moment ten_minutes = std::chrono::minutes{10};
constexpr std::size_t spark_buckets = 60;

std::string in_plain_words(Outcome outcome) {
  std::string words(string_from_outcome(outcome));
  std::ranges::replace(words, '_', ' ');
  return words;
}

Condition ok_or_full(const Verdict& verdict) {
  const bool full = verdict.cpu_busy.value_or(0) >= near_limit_cpu ||
                    verdict.mem_available.value_or(1) < near_limit_memory;
  if (full) return {"note", "▲", "near its limit", true};
  return {"ok", "●", "ok", false};
}

std::string percent(double share) {
  return fmt::format("{:.1f}%", 100 * share);
}

/// Which of the three it is, too: "12.0% I/O".
std::string pressure_text(const loadcalc::FurtherMeasures& further) {
  using Kind = std::pair<std::string_view, std::optional<double>>;
  const std::array<Kind, 3> kinds{{{"CPU", further.cpu_pressure},
                                   {"memory", further.memory_pressure},
                                   {"I/O", further.io_pressure}}};
  const auto highest = std::ranges::max_element(
      kinds, {}, [](const Kind& kind) { return kind.second.value_or(-1); });
  if (!highest->second) return "-";
  return fmt::format("{} {}", percent(*highest->second), highest->first);
}

}  // namespace

const std::array<Column, column_count> columns{{
    {"State", "What was decided in the last cycle", false, false},
    {"Weight", "Weight in the kernel", true, false},
    {"Target", "Weight that the strategy wants", true, false},
    {"Base", "Weight that the operator meant", true, true},
    {"C", "CPU occupancy, 0 to 1", true, false},
    {"M", "Free-memory rate, 0 to 1", true, true},
    {"F", "Spare capacity, 1 is idle", true, false},
    {"INPUT", "New connections over the mean of the service", true, true},
    {"Active", "Active connections", true, true},
    {"Inactive", "Inactive connections", true, true},
    {"New/s", "New connections per second in the last minute", true, true, true},
    {"Weight share", "Of the weights of the service", true, true, true},
    {"Conn share", "Of its new connections in the last minute", true, true, true},
    {"Pressure", "Share of time in which work waited for CPU, memory or I/O, the highest", true,
     true},
    {"Age", "Of the last reading of its agent", true, true},
    {"Why", "What led to this", false, false},
}};

Condition condition_of(const Verdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::change:
    case Outcome::unchanged:
    case Outcome::within_boundary:
    case Outcome::waiting:
    case Outcome::alone:
    case Outcome::undrain:
      return ok_or_full(verdict);
    case Outcome::drained:
    case Outcome::agent_drain:
      return {"quiet", "○", in_plain_words(verdict.outcome), false};
    case Outcome::unmanaged:
    case Outcome::weights_ignored:
    case Outcome::standby:
      return {"quiet", "–", in_plain_words(verdict.outcome), false};
    case Outcome::paused:
    case Outcome::restoring:
    case Outcome::pinned:
    case Outcome::hand_drain:
      return {"hand", "◆", in_plain_words(verdict.outcome), false};
    case Outcome::no_reading:
    case Outcome::unknown_reading:
    case Outcome::counters_frozen:
    case Outcome::foreign:
    case Outcome::reasserted:
      return {"note", "▲", in_plain_words(verdict.outcome), true};
    case Outcome::silent_hold:
    case Outcome::silent_base:
    case Outcome::silent_drain:
    case Outcome::saturated_cut:
    case Outcome::frozen:
      return {"bad", "✖", in_plain_words(verdict.outcome), true};
  }
  return {"note", "▲", "unknown", true};
}

RowTexts texts_of(const MemberSummary& member, const Condition& condition) {
  const auto& verdict = *member.verdict;
  return {fmt::format("{} {}", condition.sign, condition.word),
          fmt::format("{}", verdict.current),
          verdict.target ? fmt::format("{}", *verdict.target) : "-",
          verdict.base == 0 ? "-" : fmt::format("{}", verdict.base),
          number_for_people(verdict.cpu_busy, 2),
          number_for_people(verdict.mem_available, 2),
          number_for_people(verdict.composite, 2),
          number_for_people(verdict.input, 2),
          fmt::format("{}", verdict.active),
          fmt::format("{}", verdict.inactive),
          number_for_people(member.new_per_second, 1),
          percent(member.weight_share),
          percent(member.connection_share),
          pressure_text(verdict.further),
          verdict.age_s ? number_for_people(verdict.age_s, 1) + " s" : "-",
          reason_of(verdict)};
}

RowSparks sparks_of(const History& history, const DestinationId& id) {
  if (history.frames().empty()) return {};
  const auto end = history.frames().back()->now;
  const auto begin = end - ten_minutes;
  const auto series = history.series(id, begin);
  const auto weights = buckets_of(series, begin, end, spark_buckets,
                                  [](const TimedPoint& timed) { return timed.point.weight; });
  const auto cpu = buckets_of(series, begin, end, spark_buckets,
                              [](const TimedPoint& timed) { return timed.point.cpu_busy; });
  double highest = 1;
  for (const auto& weight : weights)
    highest = std::max(highest, weight.value_or(0));
  return {path_of(weights, spark_width, spark_height, highest),
          path_of(cpu, spark_width, spark_height, 1)};
}

std::string row_key(const Verdict& verdict) {
  return ipvs::string_from_service_key(verdict.service) + " " +
         ipvs::string_from_destination_key(verdict.destination);
}

std::string last_change_of(const History& history, const DestinationId& id) {
  const auto* const write = history.last_write(id);
  if (write == nullptr) return {};
  const auto& line = write->line;
  return fmt::format("{} -> {} at {}: {}", field_of(line, "old"), field_of(line, "new"),
                     utc_from_wall_time(write->wall_time).substr(11), field_of(line, "reason"));
}

}  // namespace lvs::monitord
