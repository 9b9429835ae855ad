// What stands in the place of the table when it was asked for.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "monitorctl/number_text.hpp"
#include "monitorctl/status_text.hpp"
#include "monitorctl/top_layout.hpp"

namespace lvs::monitorctl {
namespace {

/// Where the words of explain_text() begin.
constexpr std::size_t words_begin = 12;

constexpr std::array<std::string_view, 27> help{
    "q                quit",
    "up, down, PgUp, PgDn, Home, End    choose a destination",
    "d, Enter         every number behind its weight, as monitorctl explain has them",
    "s                sort within each service: table, weight, cpu, memory, connections",
    "/                filter: words in names and states (web silent); empty shows all",
    "space            hold the screen as it is, and go on",
    "Escape           back; on the table: no filter",
    "?, h             this page",
    "",
    "Weight           in the kernel; the arrow says which way it went when it changed last",
    "Target, Base     what the strategy wants; what the operator meant",
    "Trend            of weight and CPU, 20 s each character; weights against the highest of",
    "                 their service, CPU against 100%",
    "CPU, Mem         CPU occupancy C; memory in use, 1 - M",
    "Act, Inact       active and inactive connections",
    "CPS              new connections per second in the last cycle",
    "Age              of the last reading of its agent",
    "Verdict          what was decided in the last cycle",
    "",
    "What has changed since the poll before is bold for one poll. Colours of a verdict say what",
    "its word says:",
    "  red            silent_hold, silent_base, silent_drain, saturated_cut, frozen",
    "  yellow         no_reading, unknown_reading, counters_frozen, foreign, reasserted",
    "  cyan           by hand: paused, restoring, pinned, hand_drain",
    "  faint          drained, agent_drain, unmanaged, weights_ignored, standby",
    "Without colours: NO_COLOR=1. Without UTF-8: LC_ALL=C.",
    "monitorctl(1) has more.",
};

void add_wrapped(std::vector<TopLine>& lines, std::string_view text, std::size_t width,
                 std::size_t indent) {
  for (auto& line : wrapped(text, width, indent))
    lines.push_back({{std::move(line), {}}});
}

/// "  trend     ▁▁▃▃  weight, 8 to 12 in 10 min"
std::string trend_text(const TopTrail::Means& means, double highest, std::string_view what,
                       int decimals, const TopGlyphs& glyphs) {
  std::optional<double> least;
  std::optional<double> most;
  for (const auto& mean : means) {
    if (!mean) continue;
    least = std::min(*mean, least.value_or(*mean));
    most = std::max(*mean, most.value_or(*mean));
  }
  return fmt::format("  {:<9} {}  {}, {} to {} in 10 min", "trend",
                     sparkline(means, highest, glyphs), what, number_text(least, decimals),
                     number_text(most, decimals));
}

void add_explanation(const TopFrame& frame, const ServiceStatus& service,
                     const DestinationStatus& one, std::size_t width, std::vector<TopLine>& lines) {
  const auto text = explain_text(service, one);
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    add_wrapped(lines, shown(rest.substr(0, end), frame.glyphs), width, words_begin);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void add_trends(const TopFrame& frame, const TopGroup& group, const TopRow& row, std::size_t width,
                std::vector<TopLine>& lines) {
  const auto last = TopTrail::part_of(frame.memory.time());
  const auto weights = row.trail->weights(last, TopTrail::most_parts);
  const auto cpu = row.trail->cpu(last, TopTrail::most_parts);
  for (const auto& text : {trend_text(weights, group.highest_weight, "weight", 1, frame.glyphs),
                           trend_text(cpu, 1, "C", 2, frame.glyphs)}) {
    lines.push_back(TopLine{TopSpan{cut(text, width, frame.glyphs), {}}});
  }
}

}  // namespace

std::vector<TopLine> detail_lines(const TopFrame& frame, std::size_t width) {
  std::vector<TopLine> lines;
  for (const auto& group : frame.groups) {
    for (const auto& row : group.rows) {
      if (frame.view.chosen != name_of(group, row)) continue;
      add_explanation(frame, *group.service, *row.now.status, width, lines);
      add_trends(frame, group, row, width, lines);
    }
  }
  return lines;
}

std::vector<TopLine> help_lines(std::size_t width) {
  std::vector<TopLine> lines;
  for (const auto text : help)
    add_wrapped(lines, text, width, 17);
  return lines;
}

}  // namespace lvs::monitorctl
