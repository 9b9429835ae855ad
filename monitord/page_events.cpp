#include "monitord/page_events.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "monitord/html.hpp"
#include "monitord/page_head.hpp"

namespace lvs::monitord {
namespace {

std::string_view style_of(LogLevel level) {
  switch (level) {
    case LogLevel::error:
      return "bad";
    case LogLevel::warning:
      return "note";
    case LogLevel::info:
    case LogLevel::debug:
      break;
  }
  return "ok";
}

std::string_view word_of(LogLevel level) {
  switch (level) {
    case LogLevel::error:
      return "✖ error";
    case LogLevel::warning:
      return "▲ warning";
    case LogLevel::info:
    case LogLevel::debug:
      break;
  }
  return "● info";
}

std::string details_of(const LogLine& line) {
  std::string html;
  for (const auto& [key, value] : line.fields) {
    fmt::format_to(std::back_inserter(html), R"(<span class="field"><b>{}</b> {}</span> )",
                   html_from_text(key), html_from_text(value));
  }
  return html;
}

std::string event_row(const HistoryEvent& event) {
  return fmt::format(
      R"(<tr class="{}"><td class="time">{}</td><td class="state">{}</td><td class="event">{}</td><td class="why">{}</td></tr>
)",
      style_of(event.line.level), utc_from_wall_time(event.wall_time), word_of(event.line.level),
      html_from_text(event.line.event), details_of(event.line));
}

}  // namespace

std::string events_table(const History& history, std::string_view name,
                         const std::function<bool(const HistoryEvent&)>& wanted) {
  std::string rows;
  const auto& events = history.events();
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    if (wanted(**event)) rows += event_row(**event);
  }
  if (rows.empty()) return "<p>Nothing has happened yet.</p>";
  return fmt::format(
      R"(<div class="scroll" tabindex="0" role="region" aria-label="{0}"><table class="events"><caption class="unseen">{0}, newest first</caption><thead><tr><th scope="col">Time</th><th scope="col">Level</th><th scope="col">Event</th><th scope="col">Details</th></tr></thead><tbody>
{1}</tbody></table></div>)",
      html_from_text(name), rows);
}

std::string events_page(const Published& published) {
  const auto table =
      events_table(published.history, "Events", [](const HistoryEvent&) { return true; });
  return document_html(
      "Events", published,
      fmt::format(
          R"(<h2>Events</h2><p>The last {}, newest first; the log has all. As <a href="/events.csv">CSV</a> or <a href="/api/events">JSON</a>.</p>{})",
          History::most_events, renewed_html(published, table)));
}

}  // namespace lvs::monitord
