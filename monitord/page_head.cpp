#include "monitord/page_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "monitord/html.hpp"

namespace lvs::monitord {
namespace {

constexpr double minutes_of_errors = 5;
/// From this share of silent agents on, a person should know.
constexpr double silent_share = 0.2;

bool is_recent(const Published& published, const HistoryEvent& event) {
  return published.report->wall_time - event.wall_time <= 60 * minutes_of_errors;
}

std::size_t recent_problems(const Published& published) {
  const auto& events = published.history.events();
  return static_cast<std::size_t>(std::ranges::count_if(events, [&](const auto& event) {
    return event->line.level >= LogLevel::warning && is_recent(published, *event);
  }));
}

bool has_recent_foreign_writes(const Published& published) {
  return std::ranges::any_of(published.history.events(), [&](const auto& event) {
    const auto& name = event->line.event;
    return (name == "foreign_write" || name == "overwritten") && is_recent(published, *event);
  });
}

/// "at most 5 ms, 99 % at most 10 ms": the bucket's bound, so no exact figure.
std::string times_text(const DurationHistogram& times) {
  if (times.count() == 0) return "none yet";
  const auto bound = [&](double share) {
    const double seconds = times.quantile(share);
    return std::isinf(seconds) ? std::string("above 2 s")
                               : fmt::format("within {:g} ms", 1000 * seconds);
  };
  return fmt::format("half {}, 99% {}", bound(0.5), bound(0.99));
}

std::string polls_text(const CycleReport& report, const Facts& facts) {
  const auto seconds = std::max(1.0, report.wall_time - facts.started);
  return fmt::format("{} asked ({:.1f}/s), {} answered, {} timed out", report.polls.asked,
                     static_cast<double>(report.polls.asked) / seconds, report.polls.answered,
                     report.polls.timeouts);
}

void add_pools(std::vector<std::string>& lines, const std::vector<PoolSummary>& pools) {
  for (const auto& pool : pools) {
    const auto name = ipvs::string_from_service_key(pool.service);
    const auto frozen = std::ranges::any_of(pool.members, [](const auto& member) {
      return member.verdict->outcome == Outcome::frozen &&
             member.verdict->reading != ReadingState::none;
    });
    if (frozen) {
      lines.push_back(fmt::format("{} is frozen: more than half of it is silent", name));
    } else if (static_cast<double>(pool.silent) >
               silent_share * static_cast<double>(pool.members.size())) {
      lines.push_back(
          fmt::format("{} of {} agents of {} are silent", pool.silent, pool.members.size(), name));
    }
    if (pool.overloaded) {
      lines.push_back(fmt::format(
          "{} is overloaded: every server of it is near its limit, and no weight helps", name));
    }
  }
}

std::string navigation() {
  return R"(<nav aria-label="Pages"><a href="/">Status</a> <a href="/events">Events</a> )"
         R"(<a href="/metrics">Metrics</a> <a href="/api/status">JSON</a> )"
         R"(<a href="/status.csv">CSV</a></nav>)";
}

}  // namespace

std::string mode_of(const Published& published) {
  const auto& report = *published.report;
  if (report.cycle == 0) return "starting: no cycle is done yet";
  if (!report.degraded.empty()) return "degraded: the table cannot be read";
  if (report.dry_run) return "dry run: nothing is written";
  if (report.orders.everything) return "paused by hand";
  const bool standby =
      !report.verdicts.empty() && std::ranges::all_of(report.verdicts, [](const Verdict& verdict) {
        return verdict.outcome == Outcome::standby || is_left_alone(verdict.outcome);
      });
  return standby ? "standby: no connection comes through here" : "active";
}

FactLines facts_of(const Published& published) {
  const auto& report = *published.report;
  const auto& facts = published.facts;
  FactLines lines{
      {"Mode", mode_of(published)},
      {"Version", report.version},
      {"Up", span_for_people(report.wall_time - facts.started)},
      {"Cycle", fmt::format("{}, every {:g} s", report.cycle,
                            std::chrono::duration<double>(facts.interval).count())},
      {"Last cycle", report.cycle == 0 ? "-" : utc_from_wall_time(report.wall_time)},
      {"Configuration",
       fmt::format("{}, read {}", facts.config_file, utc_from_wall_time(facts.loaded))},
      {"Last reload", facts.reload_problem.empty() ? "fine" : "refused"},
      {"Polls", polls_text(report, facts)},
      {"Answers", times_text(facts.poll_times)},
      {"Cycles take", times_text(facts.cycle_times)},
      {"Weights",
       fmt::format("{} written, {} failed, {} not worth it, {} changed by others", report.writes,
                   report.failed_writes, report.suppressed, report.foreign_edits)},
      {"Warnings in 5 min", fmt::format("{}", recent_problems(published))},
  };
  if (!facts.kernel.empty()) lines.emplace_back("IPVS", facts.kernel);
  return lines;
}

std::vector<std::string> banner_of(const Published& published,
                                   const std::vector<PoolSummary>& pools) {
  const auto& report = *published.report;
  std::vector<std::string> lines;
  if (!report.degraded.empty()) lines.push_back("The table cannot be read: " + report.degraded);
  if (!published.facts.reload_problem.empty()) {
    lines.push_back("The last reload was refused, the configuration before it is in force: " +
                    published.facts.reload_problem);
  }
  add_pools(lines, pools);
  if (has_recent_foreign_writes(published)) {
    lines.emplace_back("Somebody else wrote weights in the last 5 minutes: see Events");
  }
  const auto& orders = report.orders;
  const auto by_hand = orders.pauses.size() + orders.pins.size() + orders.drains.size() +
                       (orders.everything ? 1 : 0);
  if (by_hand > 0) lines.push_back(fmt::format("Orders by hand that stand: {}", by_hand));
  for (const auto& note : report.notes)
    lines.push_back("Note: " + note);
  return lines;
}

std::string facts_html(const FactLines& facts) {
  std::string html;
  for (const auto& [name, value] : facts) {
    fmt::format_to(std::back_inserter(html), "<div><dt>{}</dt><dd>{}</dd></div>", name,
                   html_from_text(value));
  }
  return html;
}

std::string banner_html(const std::vector<std::string>& lines) {
  if (lines.empty()) return R"(<p class="fine">● Nothing needs a person.</p>)";
  std::string html = "<ul>";
  for (const auto& line : lines)
    html += "<li>▲ " + html_from_text(line) + "</li>";
  return html + "</ul>";
}

std::string updated_text(const Published& published) {
  const auto& report = *published.report;
  if (report.cycle == 0) return "No cycle is done yet.";
  return fmt::format("Cycle {} of {}", report.cycle, utc_from_wall_time(report.wall_time));
}

std::string updated_html(const Published& published) {
  return fmt::format(R"(<p id="updated" data-interval="{}">{}</p>)",
                     std::chrono::ceil<std::chrono::milliseconds>(published.facts.interval).count(),
                     updated_text(published));
}

std::string renewed_html(const Published& published, std::string_view content) {
  return fmt::format(
      R"(<div class="renewal">{}<button type="button" id="pause" aria-pressed="false" hidden>Pause updates</button></div>
<div id="renewed">{}</div>)",
      updated_html(published), content);
}

std::string document_html(std::string_view title, const Published& published,
                          std::string_view body) {
  const auto host = html_from_text(published.facts.host);
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{0} - monitord on {1}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
<noscript><meta http-equiv="refresh" content="5"></noscript>
<script src="/page.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><h1>monitord <span>on {1}</span></h1>{2}</header>
<main id="content" tabindex="-1">
{3}
</main>
</body>
</html>
)",
                     html_from_text(title), host, navigation(), body);
}

}  // namespace lvs::monitord
