// The lines of the table.

#include <fmt/format.h>

#include <string_view>

#include "monitorctl/top_layout.hpp"

namespace lvs::monitorctl {
namespace {

std::string_view arrow(const TopRow& row, const TopGlyphs& glyphs) {
  switch (row.trail->last_turn()) {
    case Turn::up:
      return glyphs.up;
    case Turn::down:
      return glyphs.down;
    case Turn::none:
      break;
  }
  return " ";
}

/// Those whose every change would be bold all the time, or whose words are nothing to look for.
bool shows_changes(TopColumn column) {
  return column != TopColumn::age && column != TopColumn::reason;
}

bool has_changed(TopColumn column, const TopRow& row) {
  return row.before && shows_changes(column) &&
         cell_text(column, *row.before) != cell_text(column, row.now);
}

std::string sparkline_of(const TopFrame& frame, const TopGroup& group, const TopRow& row,
                         const PlacedColumn& placed) {
  const auto last = TopTrail::part_of(frame.memory.time());
  if (placed.column == TopColumn::cpu_line) {
    return sparkline(row.trail->cpu(last, placed.width), 1, frame.glyphs);
  }
  return sparkline(row.trail->weights(last, placed.width), group.highest_weight, frame.glyphs);
}

std::string cell(const TopFrame& frame, const TopGroup& group, const TopRow& row,
                 const PlacedColumn& placed) {
  const auto [column, gap, width] = placed;
  if (is_sparkline(column)) return sparkline_of(frame, group, row, placed);
  const auto text = shown(cell_text(column, row.now), frame.glyphs);
  if (column == TopColumn::destination) {
    return padded_right(cut_in_the_middle(text, width, frame.glyphs), width);
  }
  if (column == TopColumn::weight) {
    return padded_left(text, width - 1).append(arrow(row, frame.glyphs));
  }
  const auto short_text = cut(text, width, frame.glyphs);
  return is_at_right(column) ? padded_left(short_text, width) : padded_right(short_text, width);
}

Tone tone_of_cell(const TopFrame& frame, const TopRow& row, TopColumn column) {
  if (!frame.memory.failure().empty() || is_sparkline(column)) return Tone::quiet;
  const auto tone = tone_of(*row.now.status);
  return tone == Tone::quiet || column == TopColumn::verdict ? tone : Tone::plain;
}

}  // namespace

TopLine column_headings(const std::vector<PlacedColumn>& columns) {
  std::string text;
  for (const auto& [column, gap, width] : columns) {
    const std::string heading(heading_of(column));
    text.append(gap, ' ');
    text += is_at_right(column) ? padded_left(heading, width) : padded_right(heading, width);
  }
  return {{text, {Tone::plain, false, true}}};
}

TopLine service_line(const TopFrame& frame, const TopGroup& group) {
  const auto& service = *group.service;
  const auto all = service.destinations.size();
  const auto name = fmt::format("{} {}", service.service, service.scheduler);
  const auto count = group.rows.size() == all ? fmt::format("{}", all)
                                              : fmt::format("{} of {}", group.rows.size(), all);
  return {
      {shown(name, frame.glyphs), {}},
      {fmt::format("  {} destination{}", count, all == 1 ? "" : "s"), {Tone::quiet, false, false}}};
}

TopLine destination_line(const TopFrame& frame, const TopGroup& group, const TopRow& row,
                         const std::vector<PlacedColumn>& columns) {
  TopLine line;
  for (const auto& placed : columns) {
    const auto tone = tone_of_cell(frame, row, placed.column);
    line.push_back({std::string(placed.gap, ' '), {}});
    line.push_back(
        {cell(frame, group, row, placed), {tone, has_changed(placed.column, row), false}});
  }
  return line;
}

}  // namespace lvs::monitorctl
