#pragma once

// What the person in front of `monitorctl top` has chosen, and what keys do to it. Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "monitorctl/top_rows.hpp"

namespace lvs::monitorctl {

struct TopKey {
  enum class Kind {
    none,
    character,
    enter,
    escape,
    backspace,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
  };
  Kind kind{Kind::none};
  char character{};  ///< a byte of it, where it is not ASCII
};

enum class TopPage { table, detail, help };

struct TopView {
  TopSort sort{TopSort::table};
  std::string filter{};
  std::optional<std::string> filter_before{};  ///< while one is typed: what Escape goes back to
  bool held{};                                 ///< the screen stays as it is
  bool ended{};
  TopPage page{TopPage::table};
  std::optional<TopName> chosen{};
  std::size_t first{};       ///< line of the table at the top of the screen
  std::size_t page_first{};  ///< the same of detail or help
};

/// `lines` is how many of the table (or the page) are on the screen.
void press(TopView& view, const TopKey& key, const std::vector<TopGroup>& groups,
           std::size_t lines);

/// After keys, and after what is shown has changed: somebody is chosen, and on the screen.
void settle(TopView& view, const std::vector<TopGroup>& groups, std::size_t lines);

/// The same for a page of that many lines: nobody scrolls beyond its end.
void settle_page(TopView& view, std::size_t page_lines, std::size_t lines);

/// A line of the table: a service's heading, or one of its destinations.
struct TableLine {
  const TopGroup* group{};
  const TopRow* row{};  ///< null: the heading
};
/// Those that stand on the screen. The first one is always a heading: where its own has gone up,
/// it stands in front of the second row.
std::vector<TableLine> visible_lines(const std::vector<TopGroup>& groups, std::size_t first,
                                     std::size_t lines);

}  // namespace lvs::monitorctl
