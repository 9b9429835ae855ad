#include "monitorctl/top_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "monitorctl/number_text.hpp"

namespace lvs::monitorctl {
namespace {

/// Short enough for a column of five: 12345, 123k, 12M.
std::string short_count(std::uint64_t count) {
  if (count < 100'000) return fmt::format("{}", count);
  if (count < 10'000'000) return fmt::format("{}k", count / 1000);
  if (count < 10'000'000'000) return fmt::format("{}M", count / 1'000'000);
  return fmt::format("{}G", count / 1'000'000'000);
}

std::string short_count(const std::optional<std::uint64_t>& count) {
  return count ? short_count(*count) : "-";
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f}%", std::clamp(*share, 0.0, 9.99) * 100) : "-";
}

std::string age_text(const std::optional<double>& seconds) {
  if (!seconds) return "-";
  if (*seconds < 99.95) return fmt::format("{:.1f}s", *seconds);
  if (*seconds < 6000) return fmt::format("{:.0f}m", *seconds / 60);
  return *seconds < 360'000 ? fmt::format("{:.0f}h", *seconds / 3600) : ">99h";
}

std::string rate_text(const std::optional<double>& rate) {
  if (!rate) return "-";
  if (*rate < 99.95) return fmt::format("{:.1f}", *rate);
  return short_count(static_cast<std::uint64_t>(std::min(std::round(*rate), 1e15)));
}

/// Its base is 0 until it was seen with a weight.
std::string base_text(const DestinationStatus& status) {
  return status.base == 0U ? "-" : number_text(status.base);
}

/// What the widths come from, over the whole table.
struct Needs {
  std::size_t destination{}, server{}, weight{}, base{}, target{}, reason{};
  bool has_names{};
};

/// A server with another name than its address.
bool has_name(const DestinationStatus& one) {
  return !one.server.empty() && !one.destination.starts_with(one.server + ":") &&
         !one.destination.starts_with("[" + one.server + "]:");
}

Needs needs_of(const Status& status) {
  Needs needs;
  const auto at_least = [](std::size_t& width, std::string_view text) {
    width = std::max(width, width_of(shown(text, unicode_glyphs)));
  };
  for (const auto& service : status.services) {
    for (const auto& one : service.destinations) {
      at_least(needs.destination, one.destination);
      if (has_name(one)) at_least(needs.server, one.server);
      at_least(needs.weight, number_text(one.current));
      at_least(needs.target, number_text(one.target));
      at_least(needs.base, base_text(one));
      at_least(needs.reason, one.reason);
      needs.has_names = needs.has_names || has_name(one);
    }
  }
  return needs;
}

constexpr std::size_t marker = 2;        ///< ">" and a blank in front of the destination
constexpr std::size_t short_line = 8;    ///< of a sparkline
constexpr std::size_t most_longer = 12;  ///< columns more for each where there is much room
constexpr std::size_t some_reason = 40;  ///< columns from which on a reason tells something
constexpr std::size_t outcome = 15;      ///< the longest: within_boundary

/// All columns, what matters most first.
std::vector<PlacedColumn> wanted_columns(const Needs& needs, std::size_t width) {
  // An IPv6 address may be 47 columns long; on a narrow screen its middle is left out.
  const auto for_names = std::max<std::size_t>(21, width * 3 / 10);
  std::vector<PlacedColumn> wanted{
      {TopColumn::destination, marker, std::clamp<std::size_t>(needs.destination, 11, for_names)},
      {TopColumn::weight, 1, std::max<std::size_t>(6, needs.weight) + 1},  // and the arrow
      {TopColumn::verdict, 2, outcome},
      {TopColumn::cpu, 1, 4},
      {TopColumn::active, 1, 5},
      {TopColumn::target, 1, std::max<std::size_t>(6, needs.target)},
      {TopColumn::memory, 1, 4},
      {TopColumn::age, 1, 5},
      {TopColumn::weight_line, 2, short_line},
      {TopColumn::base, 1, std::max<std::size_t>(5, needs.base)},
      {TopColumn::rate, 1, 5},
      {TopColumn::inactive, 1, 5},
      {TopColumn::cpu_line, 2, short_line},
  };
  if (needs.has_names) {
    wanted.push_back({TopColumn::server, 2, std::clamp<std::size_t>(needs.server, 6, 20)});
  }
  return wanted;
}

std::size_t total_width(const std::vector<PlacedColumn>& columns) {
  std::size_t width = 0;
  for (const auto& column : columns)
    width += column.gap + column.width;
  return width;
}

/// With all other columns on the screen: the reason, and longer sparklines.
void use_the_rest(std::vector<PlacedColumn>& columns, const Needs& needs, std::size_t width) {
  constexpr std::size_t gap = 2;
  const auto room = width - total_width(columns);
  if (room < gap + some_reason) return;
  const auto wanted = std::max(needs.reason, heading_of(TopColumn::reason).size());
  const auto reason = std::min(room - gap, wanted);
  const auto left_for_each = (room - gap - reason) / 2;
  for (auto& column : columns) {
    if (is_sparkline(column.column)) column.width += std::min(left_for_each, most_longer);
  }
  columns.push_back({TopColumn::reason, gap, reason});
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::vector<PlacedColumn> placed_columns(const Status& status, std::size_t width) {
  const auto needs = needs_of(status);
  const auto wanted = wanted_columns(needs, width);
  std::vector<PlacedColumn> placed;
  std::size_t taken = 0;
  for (const auto& column : wanted) {
    const auto more = column.gap + column.width;
    if (taken + more > width && !placed.empty()) continue;
    placed.push_back(column);
    taken += more;
  }
  if (placed.size() == wanted.size()) use_the_rest(placed, needs, width);
  std::ranges::sort(placed, {}, &PlacedColumn::column);
  return placed;
}

std::string_view heading_of(TopColumn column) {
  static constexpr std::array<std::string_view, 15> headings{
      "Destination", "Server", "Weight ", "Target", "Base", "Trend",   "CPU",   "Trend",
      "Mem",         "Act",    "Inact",   "CPS",    "Age",  "Verdict", "Reason"};
  return headings.at(static_cast<std::size_t>(column));
}

bool is_at_right(TopColumn column) {
  switch (column) {
    case TopColumn::destination:
    case TopColumn::server:
    case TopColumn::weight_line:
    case TopColumn::cpu_line:
    case TopColumn::verdict:
    case TopColumn::reason:
      return false;
    default:
      return true;
  }
}

bool is_sparkline(TopColumn column) {
  return column == TopColumn::weight_line || column == TopColumn::cpu_line;
}

std::string cell_text(TopColumn column, const TopNumbers& numbers) {
  const auto& status = *numbers.status;
  switch (column) {
    case TopColumn::destination:
      return status.destination;
    case TopColumn::server:
      return has_name(status) ? status.server : "";
    case TopColumn::weight:
      return number_text(status.current);
    case TopColumn::target:
      return number_text(status.target);
    case TopColumn::base:
      return base_text(status);
    case TopColumn::cpu:
      return percent(status.cpu_busy);
    case TopColumn::memory:
      return percent(status.mem_available ? std::optional(1 - *status.mem_available)
                                          : std::nullopt);
    case TopColumn::active:
      return short_count(status.active);
    case TopColumn::inactive:
      return short_count(status.inactive);
    case TopColumn::rate:
      return rate_text(numbers.rate);
    case TopColumn::age:
      return age_text(status.age_s);
    case TopColumn::verdict:
      return text_or_dash(status.outcome);
    case TopColumn::reason:
      return status.reason;
    case TopColumn::weight_line:
    case TopColumn::cpu_line:
      break;
  }
  return {};
}

Tone tone_of(const DestinationStatus& status) {
  const std::string_view word = status.outcome;
  if (is_one_of(word, {"silent_hold", "silent_base", "silent_drain", "saturated_cut", "frozen"})) {
    return Tone::bad;
  }
  if (is_one_of(word,
                {"no_reading", "unknown_reading", "counters_frozen", "foreign", "reasserted"})) {
    return Tone::note;
  }
  if (is_one_of(word, {"paused", "restoring", "pinned", "hand_drain"})) return Tone::hand;
  if (is_one_of(word, {"drained", "agent_drain", "unmanaged", "weights_ignored", "standby"})) {
    return Tone::quiet;
  }
  return Tone::plain;
}

}  // namespace lvs::monitorctl
