#include "monitord/page_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/chart.hpp"
#include "monitord/html.hpp"
#include "monitord/page_events.hpp"
#include "monitord/page_head.hpp"
#include "monitord/page_row.hpp"
#include "monitord/reasons.hpp"
#include "monitord/strategies.hpp"

namespace lvs::monitord {
namespace {

constexpr std::size_t chart_buckets = 360;  // 10 s each

const Verdict* verdict_of(const CycleReport& report, const DestinationId& id) {
  const auto found = std::ranges::find_if(report.verdicts, [&](const Verdict& verdict) {
    return verdict.service == id.service && verdict.destination == id.destination;
  });
  return found == report.verdicts.end() ? nullptr : &*found;
}

std::set<DestinationId> destinations_at(const Published& published,
                                        const ipvs::IpAddress& address) {
  std::set<DestinationId> found;
  for (const auto& verdict : published.report->verdicts) {
    if (verdict.destination.address == address)
      found.insert({verdict.service, verdict.destination});
  }
  const HistoryFrame::Ids* known = nullptr;
  for (const auto& frame : published.history.frames()) {
    if (frame->ids.get() == known) continue;
    known = frame->ids.get();
    for (const auto& id : *known) {
      if (id.destination.address == address) found.insert(id);
    }
  }
  return found;
}

struct Hour {
  std::vector<TimedPoint> series{};
  Moment begin{}, end{};

  [[nodiscard]] Buckets of(const PointNumber& number) const {
    return buckets_of(series, begin, end, chart_buckets, number);
  }
};

Hour hour_of(const History& history, const DestinationId& id) {
  Hour hour;
  if (history.frames().empty()) return hour;
  hour.end = history.frames().back()->now;
  hour.begin = hour.end - History::span;
  hour.series = history.series(id, hour.begin);
  return hour;
}

double new_per_second(const TimedPoint& timed) {
  const auto seconds = std::chrono::duration<double>(timed.after).count();
  return seconds > 0 ? timed.point.new_connections / seconds : HistoryPoint::unknown;
}

std::string charts_of(const Hour& hour) {
  using Timed = TimedPoint;
  if (hour.series.empty()) return "<p>Nothing is recorded yet.</p>";
  const auto number = [&](const PointNumber& of) { return hour.of(of); };
  std::string html = R"(<div class="charts">)";
  html += chart("Weight",
                {{"weight", "line-1", number([](const Timed& t) { return t.point.weight; })},
                 {"target", "line-2", number([](const Timed& t) { return t.point.target; })}},
                {});
  html += chart("CPU occupancy C, free-memory rate M, spare capacity F",
                {{"C", "line-1", number([](const Timed& t) { return t.point.cpu_busy; })},
                 {"M", "line-2", number([](const Timed& t) { return t.point.mem_available; })},
                 {"F", "line-3", number([](const Timed& t) { return t.point.composite; })}},
                1);
  html += chart("Active connections",
                {{"active", "line-1", number([](const Timed& t) { return t.point.active; })}}, {});
  html += chart("New connections per second", {{"new", "line-1", number(new_per_second)}}, {});
  return html + "</div>";
}

void add(std::string& html, std::string_view name, std::string_view value) {
  fmt::format_to(std::back_inserter(html), "<div><dt>{}</dt><dd>{}</dd></div>",
                 html_from_text(name), html_from_text(value));
}

/// "cpu_pressure" as people read it.
std::string plain_words(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words.ends_with(" s") ? words.substr(0, words.size() - 1) + "in s" : words;
}

/// Every number that led to the weight.
std::string inputs_of(const Verdict& verdict) {
  std::string html = R"(<dl class="facts">)";
  const MemberSummary member{&verdict};
  const auto texts = texts_of(member, condition_of(verdict));
  for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
    if (!columns[i].is_of_pool) add(html, columns[i].head, texts[i]);
  }
  add(html, "Strategy", name_of_strategy(verdict.strategy));
  add(html, "Boundary", number_for_people(verdict.boundary, 1));
  add(html, "Agent",
      fmt::format("{}, {}", verdict.server.empty() ? "none" : verdict.server,
                  string_from_reading_state(verdict.reading)));
  if (verdict.capacity > 0) {
    add(html, "Learned capacity", number_for_people(verdict.capacity, 1));
    add(html, "Correction", number_for_people(verdict.correction, 2));
  }
  if (verdict.score) {
    add(html, strategy_of(verdict.strategy).score, number_for_people(verdict.score, 3));
  }
  for (const auto& term : verdict.terms) {
    add(html, term.name, fmt::format("{:.2f} x {:.2f}", term.coefficient, term.value));
  }
  for (const auto& measure : loadcalc::further_measures) {
    const auto& value = verdict.further.*measure.value;
    if (value) add(html, plain_words(measure.name), number_for_people(value, 3));
  }
  return html + "</dl>";
}

bool is_about(const HistoryEvent& event, const DestinationId& id) {
  const auto has = [&](std::string_view key, const std::string& text) {
    return std::ranges::any_of(event.line.fields, [&](const auto& field) {
      return field.first == key && field.second == text;
    });
  };
  if (has("destination", ipvs::string_from_destination_key(id.destination))) {
    return has("service", ipvs::string_from_service_key(id.service));
  }
  return has("address", ipvs::string_from_ip_address(id.destination.address));
}

std::string links_of(const DestinationId& id) {
  const auto query =
      fmt::format("service={}&amp;destination={}",
                  url_part_from_text(ipvs::string_from_service_key(id.service)),
                  url_part_from_text(ipvs::string_from_destination_key(id.destination)));
  return fmt::format(
      R"(<p>This hour as <a href="/history.csv?{0}">CSV</a> or <a href="/api/history?{0}">JSON</a>.</p>)",
      query);
}

std::string destination_html(const Published& published, const DestinationId& id) {
  const auto name = fmt::format("{} of {}", ipvs::string_from_destination_key(id.destination),
                                ipvs::string_from_service_key(id.service));
  auto html = fmt::format("<section><h3>{}</h3>", html_from_text(name));
  if (const auto* verdict = verdict_of(*published.report, id)) {
    html += "<p>" + html_from_text(reason_of(*verdict)) + "</p>" + inputs_of(*verdict);
  } else {
    html += "<p>It is not in the table any more.</p>";
  }
  html += charts_of(hour_of(published.history, id)) + links_of(id) + "<h4>Decisions</h4>";
  return html +
         events_table(published.history, "Events of " + name,
                      [&](const HistoryEvent& event) { return is_about(event, id); }) +
         "</section>";
}

}  // namespace

std::optional<std::string> server_page(const Published& published, const ipvs::IpAddress& address) {
  const auto ids = destinations_at(published, address);
  if (ids.empty()) return std::nullopt;
  const auto name = ipvs::string_from_ip_address(address);
  std::string content;
  for (const auto& id : ids)
    content += destination_html(published, id);
  return document_html(name, published,
                       fmt::format("<h2>Real server {}</h2>{}", html_from_text(name),
                                   renewed_html(published, content)));
}

}  // namespace lvs::monitord
