#pragma once

// The columns of `monitorctl top`: which there is room for, and what stands in their cells. Pure.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "monitorctl/top_rows.hpp"
#include "monitorctl/top_text.hpp"

namespace lvs::monitorctl {

/// From left to right.
enum class TopColumn {
  destination,
  server,
  weight,
  target,
  base,
  weight_line,
  cpu,
  cpu_line,
  memory,
  active,
  inactive,
  rate,
  age,
  verdict,
  reason,
};

struct PlacedColumn {
  TopColumn column{};
  std::size_t gap{};    ///< blanks in front of it
  std::size_t width{};  ///< of its cells

  friend bool operator==(const PlacedColumn&, const PlacedColumn&) = default;
};

/// The columns for a screen of `width`, by what matters most. They depend on what is in the table,
/// not on what of it is shown, and hardly on its numbers: nothing jumps.
std::vector<PlacedColumn> placed_columns(const Status& status, std::size_t width);

std::string_view heading_of(TopColumn column);
/// Numbers stand at the right of their column.
bool is_at_right(TopColumn column);

/// Of a column that is made of numbers and words; empty for sparklines.
std::string cell_text(TopColumn column, const TopNumbers& numbers);
bool is_sparkline(TopColumn column);

/// What a verdict calls for.
Tone tone_of(const DestinationStatus& status);

}  // namespace lvs::monitorctl
