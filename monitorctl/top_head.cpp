// What stands above the table and below it.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "monitorctl/number_text.hpp"
#include "monitorctl/status_mode.hpp"
#include "monitorctl/top_layout.hpp"

namespace lvs::monitorctl {
namespace {

struct Part {
  std::string text{};
  Tone tone{};
  unsigned rank{};  ///< where the line is too long, the highest goes first
};

Part mode_part(const TopFrame& frame) {
  const auto* const status = frame.memory.status();
  if (status == nullptr) return {"waiting for monitord", Tone::note, 1};
  if (!frame.memory.failure().empty()) {
    return {"monitord does not answer, trying again", Tone::bad, 1};
  }
  switch (mode_of(*status)) {
    case StatusMode::degraded:
      return {"degraded", Tone::bad, 1};
    case StatusMode::starting:
      return {"starting", Tone::note, 1};
    case StatusMode::dry_run:
      return {"dry run", Tone::hand, 1};
    case StatusMode::standby:
      return {"standby", Tone::quiet, 1};
    case StatusMode::paused:
      return {"paused", Tone::hand, 1};
    case StatusMode::active:
      break;
  }
  return {"active", Tone::plain, 1};
}

std::size_t count_readings(const Status& status, std::string_view state) {
  std::size_t count = 0;
  for (const auto& service : status.services) {
    count +=
        static_cast<std::size_t>(std::ranges::count_if(service.destinations, [&](const auto& one) {
          return one.reading == state && !is_left_alone(one);
        }));
  }
  return count;
}

std::string ago_text(double seconds) {
  seconds = std::max(0.0, seconds);
  return seconds < 99.95 ? fmt::format("{:.1f} s ago", seconds)
                         : fmt::format("{:.0f} min ago", seconds / 60);
}

void add_status_parts(const TopFrame& frame, const Status& status, std::vector<Part>& parts) {
  std::size_t destinations = 0;
  for (const auto& service : status.services)
    destinations += service.destinations.size();
  parts.push_back({counted(status.services.size(), "service"), Tone::plain, 5});
  parts.push_back({counted(destinations, "destination"), Tone::plain, 6});
  const auto silent = count_readings(status, "silent");
  const auto unheard = count_readings(status, "none");
  if (silent > 0) parts.push_back({fmt::format("{} silent", silent), Tone::bad, 3});
  if (unheard > 0) parts.push_back({fmt::format("{} never heard", unheard), Tone::note, 4});
  parts.push_back({fmt::format("cycle {}", status.cycle), Tone::plain, 8});
  if (status.wall_time) {
    parts.push_back({ago_text(frame.now - *status.wall_time), Tone::plain, 7});
  }
  if (!status.version.empty()) parts.push_back({"monitord " + status.version, Tone::plain, 9});
}

std::size_t width_of_parts(const std::vector<Part>& parts) {
  std::size_t width = 0;
  for (const auto& part : parts)
    width += width_of(part.text) + (width == 0 ? 0 : 2);
  return width;
}

void add_message(std::vector<TopSpan>& messages, std::string_view sign, const std::string& text,
                 Tone tone) {
  messages.push_back({fmt::format("{} {}", sign, text), {tone, false, false}});
}

std::string filter_text(const TopFrame& frame) {
  return frame.view.filter.empty() ? "/ filter"
                                   : "/ filter: " + shown(frame.view.filter, frame.glyphs);
}

TopLine typing_line(const TopFrame& frame, std::size_t width) {
  constexpr std::string_view help = "   Enter keeps it, Escape drops it";
  auto text = "Filter: " + shown(frame.view.filter, frame.glyphs);
  // The end is where one types.
  const auto room = width > 1 ? width - 1 : 1;
  const auto whole = width_of(text);
  if (whole > room) text.erase(0, first_columns(text, whole - room).size());
  TopLine line{{text, {}}, {" ", {Tone::plain, false, true}}};
  if (whole + 1 + help.size() <= width) line.push_back({std::string(help), {Tone::quiet}});
  return line;
}

/// Which row is chosen, of how many.
std::string place_text(const TopFrame& frame) {
  std::size_t place = 0;
  std::size_t count = 0;
  for (const auto& group : frame.groups) {
    for (const auto& row : group.rows) {
      ++count;
      if (frame.view.chosen == name_of(group, row)) place = count;
    }
  }
  return count == 0 ? "none" : fmt::format("{}/{}", place, count);
}

}  // namespace

TopLine head_line(const TopFrame& frame, std::size_t width) {
  std::vector<Part> parts{{shown(frame.host, frame.glyphs), Tone::plain, 2}, mode_part(frame)};
  if (const auto* const status = frame.memory.status()) add_status_parts(frame, *status, parts);
  while (parts.size() > 1 && width_of_parts(parts) > width) {
    parts.erase(std::ranges::max_element(parts, {}, &Part::rank));
  }
  TopLine line;
  for (const auto& part : parts) {
    if (!line.empty()) line.push_back({"  ", {}});
    line.push_back(
        {cut(shown(part.text, frame.glyphs), width, frame.glyphs), {part.tone, false, false}});
  }
  return line;
}

std::vector<TopSpan> messages(const TopFrame& frame) {
  std::vector<TopSpan> all;
  const auto& failure = frame.memory.failure();
  if (!failure.empty()) add_message(all, "!", failure, Tone::bad);
  const auto* const status = frame.memory.status();
  if (status == nullptr) return all;
  if (!status->degraded.empty()) {
    add_message(all, "!", "the table cannot be read: " + status->degraded, Tone::bad);
  }
  for (const auto& note : status->notes)
    add_message(all, "!", note, Tone::note);
  for (const auto& order : status->orders)
    add_message(all, "*", order, Tone::hand);
  for (auto& message : all)
    message.text = shown(message.text, frame.glyphs);
  return all;
}

TopLine message_line(const TopFrame& frame, std::size_t width) {
  const auto all = messages(frame);
  if (all.empty()) return {};
  // A failure begins with where and ends with what to do, and nobody answers for the rest.
  const auto& first = all.front();
  if (!frame.memory.failure().empty()) {
    return {TopSpan{cut_in_the_middle(first.text, width, frame.glyphs), first.style}};
  }
  const auto more =
      all.size() > 1 ? fmt::format("  (and {} more: monitorctl status)", all.size() - 1) : "";
  const auto room = width > more.size() + 20 ? width - more.size() : width;
  TopLine line{{cut(first.text, room, frame.glyphs), first.style}};
  if (room < width) line.push_back({more, {Tone::quiet, false, false}});
  return line;
}

TopLine key_line(const TopFrame& frame, std::size_t width) {
  if (frame.view.filter_before) return typing_line(frame, width);
  const auto place = place_text(frame);
  const bool on_table = frame.view.page == TopPage::table;
  const auto hold = frame.view.held ? "HELD: space goes on" : "space hold";
  const auto keys = on_table
                        ? fmt::format("q quit  ? help  {}  d detail  s sort: {}  {}", hold,
                                      string_from_top_sort(frame.view.sort), filter_text(frame))
                        : fmt::format("q quit  Escape back  {}", hold);
  const auto room = width > place.size() + 2 ? width - place.size() - 2 : width;
  TopLine line{{padded_right(cut(keys, room, frame.glyphs), room),
                {frame.view.held ? Tone::note : Tone::quiet, false, false}}};
  if (room < width && on_table) line.push_back({"  " + place, {Tone::quiet, false, false}});
  return line;
}

}  // namespace lvs::monitorctl
