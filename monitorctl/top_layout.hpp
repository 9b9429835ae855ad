#pragma once

// The screen of `monitorctl top`: from what is known and what was chosen to lines of styled text.
// Pure.

#include <cstddef>
#include <string>
#include <vector>

#include "monitorctl/top_columns.hpp"
#include "monitorctl/top_memory.hpp"
#include "monitorctl/top_text.hpp"
#include "monitorctl/top_view.hpp"

namespace lvs::monitorctl {

struct TopSize {
  std::size_t rows{24}, columns{80};

  friend bool operator==(const TopSize&, const TopSize&) = default;
};

/// What all lines are made from.
struct TopFrame {
  const TopMemory& memory;
  const TopView& view;
  const std::vector<TopGroup>& groups;
  std::string host{};
  double now{};  ///< seconds since the epoch
  TopGlyphs glyphs{ascii_glyphs};
};

/// Lines of a screen that are left for the table, or for a page.
std::size_t body_height(TopSize size);
/// Of what was asked for in the place of the table, or 0.
std::size_t page_length(const TopFrame& frame, std::size_t width);
/// As many lines as the screen has at most, none longer than it is wide. `view` is settled.
std::vector<TopLine> top_screen(const TopFrame& frame, TopSize size);
/// All of it at once, without anything chosen and without keys: for pipes and files.
std::vector<TopLine> top_listing(const TopFrame& frame, std::size_t width);

// The parts; top_head.cpp, top_table.cpp and top_pages.cpp.

TopLine head_line(const TopFrame& frame, std::size_t width);
/// What needs a person, each on a line; the worst first.
std::vector<TopSpan> messages(const TopFrame& frame);
/// The first message and how many more there are; empty where there is none.
TopLine message_line(const TopFrame& frame, std::size_t width);
TopLine key_line(const TopFrame& frame, std::size_t width);

TopLine column_headings(const std::vector<PlacedColumn>& columns);
TopLine service_line(const TopFrame& frame, const TopGroup& group);
TopLine destination_line(const TopFrame& frame, const TopGroup& group, const TopRow& row,
                         const std::vector<PlacedColumn>& columns);

/// Of the destination that is chosen: what `monitorctl explain` says, and its sparklines.
std::vector<TopLine> detail_lines(const TopFrame& frame, std::size_t width);
std::vector<TopLine> help_lines(std::size_t width);

}  // namespace lvs::monitorctl
