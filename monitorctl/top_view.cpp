#include "monitorctl/top_view.hpp"

#include <algorithm>

namespace lvs::monitorctl {
namespace {

using Kind = TopKey::Kind;

std::vector<TableLine> table_lines(const std::vector<TopGroup>& groups) {
  std::vector<TableLine> lines;
  for (const auto& group : groups) {
    lines.push_back({&group, nullptr});
    for (const auto& row : group.rows)
      lines.push_back({&group, &row});
  }
  return lines;
}

bool is_name_of(const TopName& name, const TableLine& line) {
  return line.row != nullptr && line.row->now.status->destination == name.destination &&
         line.group->service->service == name.service;
}

/// `steps` rows on, and not beyond either end.
void choose(TopView& view, const std::vector<TopGroup>& groups, std::ptrdiff_t steps) {
  const auto names = names_of(groups);
  if (names.empty()) return;
  std::ptrdiff_t place = 0;
  if (view.chosen) {
    const auto found = std::ranges::find(names, *view.chosen);
    if (found != names.end()) place = found - names.begin();
  }
  const auto last = static_cast<std::ptrdiff_t>(names.size()) - 1;
  view.chosen = names[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place + steps, 0, last))];
}

void scroll_page(TopView& view, std::ptrdiff_t steps) {
  const auto first = static_cast<std::ptrdiff_t>(view.page_first) + steps;
  view.page_first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first, 0));
}

void remove_last_character(std::string& text) {
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.back());
    text.pop_back();
    if ((byte & 0xc0) != 0x80) return;
  }
}

void press_while_typing(TopView& view, const TopKey& key) {
  switch (key.kind) {
    case Kind::character:
      view.filter += key.character;
      return;
    case Kind::backspace:
      remove_last_character(view.filter);
      return;
    case Kind::escape:
      view.filter = *view.filter_before;
      view.filter_before.reset();
      return;
    case Kind::enter:
      view.filter_before.reset();
      return;
    default:
      return;
  }
}

/// Empty: the key moves nothing.
std::optional<std::ptrdiff_t> steps_of(Kind kind, std::size_t lines) {
  constexpr std::ptrdiff_t far = 1'000'000'000;
  const auto page = std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(lines) - 2, 1);
  switch (kind) {
    case Kind::up:
      return -1;
    case Kind::down:
      return 1;
    case Kind::page_up:
      return -page;
    case Kind::page_down:
      return page;
    case Kind::home:
      return -far;
    case Kind::end:
      return far;
    default:
      return std::nullopt;
  }
}

void open(TopView& view, TopPage page) {
  view.page = view.page == page ? TopPage::table : page;
  view.page_first = 0;
}

/// Who has not chosen anybody wants to see who is first now.
void sort_otherwise(TopView& view, const std::vector<TopGroup>& groups) {
  view.sort = next_sort(view.sort);
  const auto names = names_of(groups);
  if (!names.empty() && view.chosen == names.front()) view.chosen.reset();
}

void press_character(TopView& view, char character, const std::vector<TopGroup>& groups) {
  switch (character) {
    case 'q':
      view.ended = true;
      return;
    case ' ':
      view.held = !view.held;
      return;
    case '?':
    case 'h':
      return open(view, TopPage::help);
    case 'd':
      if (view.chosen) open(view, TopPage::detail);
      return;
    case 's':
      if (view.page == TopPage::table) sort_otherwise(view, groups);
      return;
    case '/':
      view.page = TopPage::table;
      view.filter_before = view.filter;
      return;
    default:
      return;
  }
}

}  // namespace

void press(TopView& view, const TopKey& key, const std::vector<TopGroup>& groups,
           std::size_t lines) {
  if (view.filter_before) return press_while_typing(view, key);
  if (const auto steps = steps_of(key.kind, lines)) {
    return view.page == TopPage::table ? choose(view, groups, *steps) : scroll_page(view, *steps);
  }
  switch (key.kind) {
    case Kind::character:
      return press_character(view, key.character, groups);
    case Kind::enter:
      if (view.page != TopPage::table) return open(view, view.page);
      return press_character(view, 'd', groups);
    case Kind::escape:
    case Kind::backspace:
      if (view.page != TopPage::table) {
        open(view, view.page);
      } else if (key.kind == Kind::escape) {
        view.filter.clear();
      }
      return;
    default:
      return;
  }
}

void settle(TopView& view, const std::vector<TopGroup>& groups, std::size_t lines) {
  const auto all = table_lines(groups);
  const auto find = [&] {
    return std::ranges::find_if(
        all, [&](const TableLine& line) { return view.chosen && is_name_of(*view.chosen, line); });
  };
  auto found = find();
  if (found == all.end()) {
    view.chosen.reset();
    choose(view, groups, 0);
    found = find();
  }
  if (found == all.end()) {
    view.first = 0;
    if (view.page == TopPage::detail) view.page = TopPage::table;
    return;
  }
  // The topmost line is a heading, so a row is at least one line below the top.
  const auto place = static_cast<std::size_t>(found - all.begin());
  const auto height = std::max<std::size_t>(lines, 2);
  const auto lowest = place + 1 > height ? place + 1 - height : 0;
  view.first = std::clamp(view.first, lowest, place - 1);
  view.first = std::min(view.first, all.size() > height ? all.size() - height : 0);
}

void settle_page(TopView& view, std::size_t page_lines, std::size_t lines) {
  view.page_first = std::min(view.page_first, page_lines > lines ? page_lines - lines : 0);
}

std::vector<TableLine> visible_lines(const std::vector<TopGroup>& groups, std::size_t first,
                                     std::size_t lines) {
  auto all = table_lines(groups);
  const auto begin = std::min(first, all.size());
  const auto end = std::min(begin + lines, all.size());
  std::vector<TableLine> visible(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                 all.begin() + static_cast<std::ptrdiff_t>(end));
  if (!visible.empty()) visible.front().row = nullptr;
  return visible;
}

}  // namespace lvs::monitorctl
