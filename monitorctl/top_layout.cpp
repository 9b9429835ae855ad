#include "monitorctl/top_layout.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lvs::monitorctl {
namespace {

constexpr std::size_t lines_above = 3;  ///< head, message, headings
constexpr std::size_t lines_below = 1;  ///< keys
constexpr std::size_t least_rows = lines_above + lines_below + 2;
constexpr std::size_t least_columns = 40;

TopLine cut_line(TopLine line, std::size_t width, const TopGlyphs& glyphs) {
  std::size_t taken = 0;
  for (auto& span : line) {
    span.text = cut(span.text, width - taken, glyphs);
    taken += width_of(span.text);
  }
  return line;
}

/// To the whole width, so that reverse video goes from edge to edge.
TopLine filled(TopLine line, std::size_t width, const TopGlyphs& glyphs) {
  line = cut_line(std::move(line), width, glyphs);
  const auto taken = width_of(line);
  const auto style = line.empty() ? TopStyle{} : line.back().style;
  line.push_back({std::string(width - taken, ' '), {Tone::plain, false, style.reverse}});
  return line;
}

TopLine as_chosen(TopLine line) {
  line.front().text = "> ";
  for (auto& span : line)
    span.style.reverse = true;
  return line;
}

/// What stands in the place of a table that is empty.
std::vector<TopLine> empty_body(const TopFrame& frame, std::size_t width) {
  constexpr TopStyle quiet{Tone::quiet, false, false};
  std::vector<TopLine> lines;
  if (frame.memory.status() == nullptr) {
    const auto failure = shown(frame.memory.failure(), frame.glyphs);
    for (auto& line : wrapped("  " + failure, width, 2))
      lines.push_back(TopLine{TopSpan{std::move(line), quiet}});
  } else if (!frame.view.filter.empty()) {
    lines.push_back(TopLine{TopSpan{"  nothing passes the filter", quiet}});
  }
  return lines;
}

std::vector<TopLine> table_body(const TopFrame& frame, TopSize size,
                                const std::vector<PlacedColumn>& columns) {
  std::vector<TopLine> lines;
  for (const auto& line : visible_lines(frame.groups, frame.view.first, body_height(size))) {
    if (line.row == nullptr) {
      lines.push_back(cut_line(service_line(frame, *line.group), size.columns, frame.glyphs));
      continue;
    }
    auto made = destination_line(frame, *line.group, *line.row, columns);
    if (frame.view.chosen == name_of(*line.group, *line.row)) {
      made = filled(as_chosen(std::move(made)), size.columns, frame.glyphs);
    }
    lines.push_back(cut_line(std::move(made), size.columns, frame.glyphs));
  }
  return lines.empty() ? empty_body(frame, size.columns) : lines;
}

/// The part of a page that is on the screen.
std::vector<TopLine> page_body(std::vector<TopLine> lines, std::size_t first, std::size_t height) {
  first = std::min(first, lines.size());
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(first));
  if (lines.size() > height) lines.resize(height);
  return lines;
}

TopLine page_heading(std::string_view text) {
  return {{std::string(text), {Tone::plain, false, true}}};
}

struct Body {
  TopLine heading{};
  std::vector<TopLine> lines{};
};

Body body_of(const TopFrame& frame, TopSize size) {
  const auto height = body_height(size);
  const auto first = frame.view.page_first;
  switch (frame.view.page) {
    case TopPage::help:
      return {page_heading("Help"), page_body(help_lines(size.columns), first, height)};
    case TopPage::detail:
      return {page_heading("Detail"), page_body(detail_lines(frame, size.columns), first, height)};
    case TopPage::table:
      break;
  }
  const auto* const status = frame.memory.status();
  const auto columns = placed_columns(status == nullptr ? Status{} : *status, size.columns);
  return {column_headings(columns), table_body(frame, size, columns)};
}

}  // namespace

std::size_t body_height(TopSize size) {
  constexpr auto others = lines_above + lines_below;
  return size.rows > others ? size.rows - others : 0;
}

std::size_t page_length(const TopFrame& frame, std::size_t width) {
  switch (frame.view.page) {
    case TopPage::help:
      return help_lines(width).size();
    case TopPage::detail:
      return detail_lines(frame, width).size();
    case TopPage::table:
      break;
  }
  return 0;
}

std::vector<TopLine> top_screen(const TopFrame& frame, TopSize size) {
  if (size.rows < least_rows || size.columns < least_columns) {
    return {{{cut("too small: 40 x 6 at least", size.columns, frame.glyphs), {}}}};
  }
  auto [heading, lines] = body_of(frame, size);
  std::vector<TopLine> screen{head_line(frame, size.columns), message_line(frame, size.columns),
                              filled(std::move(heading), size.columns, frame.glyphs)};
  lines.resize(body_height(size));
  std::ranges::move(lines, std::back_inserter(screen));
  screen.push_back(cut_line(key_line(frame, size.columns), size.columns, frame.glyphs));
  return screen;
}

std::vector<TopLine> top_listing(const TopFrame& frame, std::size_t width) {
  std::vector<TopLine> lines{head_line(frame, width)};
  for (const auto& message : messages(frame))
    lines.push_back({message});
  const auto* const status = frame.memory.status();
  const auto columns = placed_columns(status == nullptr ? Status{} : *status, width);
  lines.push_back(column_headings(columns));
  for (const auto& group : frame.groups) {
    lines.push_back(service_line(frame, group));
    for (const auto& row : group.rows)
      lines.push_back(destination_line(frame, group, row, columns));
  }
  for (auto& line : lines)
    line = cut_line(std::move(line), width, frame.glyphs);
  return lines;
}

}  // namespace lvs::monitorctl
