#include "monitord/page_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <iterator>
#include <string_view>
#include <vector>

#include "monitord/chart.hpp"
#include "monitord/html.hpp"
#include "monitord/json_text.hpp"
#include "monitord/page_head.hpp"
#include "monitord/page_row.hpp"
#include "monitord/pool_summary.hpp"

namespace lvs::monitord {
namespace {

namespace json = boost::json;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool holds(std::string_view text, std::string_view part) {
  const auto found = std::search(text.begin(), text.end(), part.begin(), part.end(),
                                 [](char a, char b) { return lower(a) == lower(b); });
  return found != text.end() || part.empty();
}

/// The texts of a row with all that belongs to it.
struct Row {
  const MemberSummary& member;
  DestinationId id;
  Condition condition;
  RowTexts texts;
  std::string last_change;
};

Row row_of(const MemberSummary& member, const History& history) {
  const auto& verdict = *member.verdict;
  auto condition = condition_of(verdict);
  auto texts = texts_of(member, condition);
  return {member,
          {verdict.service, verdict.destination},
          std::move(condition),
          std::move(texts),
          last_change_of(history, {verdict.service, verdict.destination})};
}

bool is_wanted(const Row& row, const PageQuery& query) {
  if (query.needs_look && !row.condition.needs_look) return false;
  if (query.filter.empty()) return true;
  const auto& verdict = *row.member.verdict;
  return holds(row_key(verdict), query.filter) || holds(verdict.server, query.filter) ||
         std::ranges::any_of(row.texts,
                             [&](const auto& text) { return holds(text, query.filter); });
}

std::string pool_line(const PoolSummary& pool) {
  auto line = fmt::format(
      "scheduler {}, {} destinations with a weight, {} at 0, {} silent, "
      "{} active connections",
      pool.scheduler, pool.weighted, pool.drained, pool.silent, pool.active);
  if (pool.persistent_s > 0) line += fmt::format(", persistent for {} s", pool.persistent_s);
  if (pool.seconds > 0) {
    line += fmt::format(", {:.1f} new per second",
                        static_cast<double>(pool.new_connections) / pool.seconds);
  }
  if (pool.spare) line += fmt::format(", mean F {:.2f}", *pool.spare);
  if (pool.idle) line += "; idle";
  if (pool.overloaded) line += "; overloaded";
  return line;
}

std::string table_head() {
  std::string html = R"(<thead><tr><th scope="col" data-sort="text"><span>Destination</span></th>)";
  for (const auto& column : columns) {
    fmt::format_to(std::back_inserter(html),
                   R"(<th scope="col" class="{}{}" title="{}" data-sort="{}"><span>{}</span></th>)",
                   column.is_number ? "number" : "text", column.is_minor ? " minor" : "",
                   column.meaning, column.is_number ? "number" : "text", column.head);
  }
  return html + R"(<th scope="col" class="minor">Weight, 10 min</th>)"
                R"(<th scope="col" class="minor">C, 10 min</th></tr></thead>)";
}

std::string cell_html(const Row& row, std::size_t i) {
  const auto& column = columns[i];
  const auto text = html_from_text(row.texts[i]);
  const auto* const style = column.is_number ? "number" : i == 0 ? "state" : "why";
  if (i + 1 != column_count) {
    // A narrow screen has no heading; it leaves minor columns out.
    const auto head = column.is_number && !column.is_minor
                          ? fmt::format(R"( data-head="{}")", column.head)
                          : std::string();
    return fmt::format(R"(<td class="{}{}"{}>{}</td>)", style, column.is_minor ? " minor" : "",
                       head, text);
  }
  // The last column has two texts: why it is so now, and what the last write was for.
  return fmt::format(R"(<td class="why"><span>{}</span><small>{}</small></td>)", text,
                     html_from_text(row.last_change));
}

std::string row_html(const Row& row, const History& history) {
  const auto& verdict = *row.member.verdict;
  const auto address = ipvs::string_from_ip_address(verdict.destination.address);
  const auto name = html_from_text(ipvs::string_from_destination_key(verdict.destination));
  const auto sparks = sparks_of(history, row.id);
  auto html = fmt::format(
      R"(<tr class="{}" data-key="{}"{}><th scope="row"><a href="/server/{}">{}</a><small>{}</small></th>)",
      row.condition.style, html_from_text(row_key(verdict)),
      row.condition.needs_look ? " data-look" : "", url_part_from_text(address), name,
      html_from_text(verdict.server));
  for (std::size_t i = 0; i < column_count; ++i)
    html += cell_html(row, i);
  return html + R"(<td class="minor">)" +
         sparkline(sparks.weight, fmt::format("Weight of {} over 10 minutes", name)) +
         R"(</td><td class="minor">)" +
         sparkline(sparks.cpu, fmt::format("C of {} over 10 minutes", name)) + "</td></tr>\n";
}

std::string pool_html(const PoolSummary& pool, const Published& published, const PageQuery& query,
                      std::size_t number) {
  const auto name = html_from_text(ipvs::string_from_service_key(pool.service));
  std::string rows;
  for (const auto& member : pool.members) {
    const auto row = row_of(member, published.history);
    if (is_wanted(row, query)) rows += row_html(row, published.history);
  }
  if (rows.empty()) return {};
  return fmt::format(
      R"(<section class="pool" data-pool="{0}" aria-labelledby="pool-{1}"><h2 id="pool-{1}">{0}</h2><p class="line">{2}</p>
<div class="bars">{3}</div><p class="bars-key">above: share of the weights; below: share of new connections</p>
<div class="scroll" tabindex="0" role="region" aria-label="Destinations of {0}"><table><caption class="unseen">Destinations of {0}</caption>{4}<tbody>
{5}</tbody></table></div></section>
)",
      name, number, html_from_text(pool_line(pool)), share_bars(pool), table_head(), rows);
}

std::string tools_html(const PageQuery& query) {
  return fmt::format(
      R"(<form id="tools" role="search" method="get" action="/"><label>Filter <input type="search" name="q" value="{}" autocomplete="off"></label> <label><input type="checkbox" name="look" value="1"{}> only what needs a look</label> <button type="submit">Apply</button> <button type="button" id="pause" aria-pressed="false" hidden>Pause updates</button></form>)",
      html_from_text(query.filter), query.needs_look ? " checked" : "");
}

std::string legend_html() {
  std::string html =
      R"(<details id="legend"><summary>Legend</summary><ul class="signs"><li class="ok">● ok: steered, or right as it is</li><li class="note">▲ near its limit, changed by somebody else, or a measure is unknown</li><li class="bad">✖ silent, saturated or frozen</li><li class="hand">◆ by hand: paused, pinned, drained</li><li class="quiet">○ at weight 0, – left alone or standby</li></ul><dl>)";
  for (const auto& column : columns) {
    fmt::format_to(std::back_inserter(html), "<div><dt>{}</dt><dd>{}</dd></div>", column.head,
                   column.meaning);
  }
  return html + "</dl></details>";
}

std::string_view why_empty(const Published& published, bool without_services) {
  const auto& report = *published.report;
  if (!report.degraded.empty()) return "The table cannot be read.";
  if (report.cycle == 0) return "The table has not been read yet.";
  return without_services ? "There is no service in the table." : "No destination fits the filter.";
}

json::array row_json(const Row& row, const History& history, bool charts) {
  json::array array{row.condition.style, row.condition.needs_look};
  for (const auto& text : row.texts)
    array.emplace_back(text);
  array.emplace_back(row.last_change);
  if (charts) {
    const auto sparks = sparks_of(history, row.id);
    array.emplace_back(sparks.weight);
    array.emplace_back(sparks.cpu);
  }
  return array;
}

}  // namespace

std::string index_page(const Published& published, const PageQuery& query) {
  const auto pools = pools_of(*published.report, published.history);
  auto body = fmt::format(
      R"(<section aria-label="What needs a person" id="banner" role="status">{}</section>
<dl id="facts" class="facts">{}</dl>
{}
{}
{}
<div id="pools">
)",
      banner_html(banner_of(published, pools)), facts_html(facts_of(published)), tools_html(query),
      updated_html(published), legend_html());
  std::string services;
  for (std::size_t i = 0; i < pools.size(); ++i)
    services += pool_html(pools[i], published, query, i);
  if (services.empty()) {
    services = fmt::format("<p>{}</p>", why_empty(published, pools.empty()));
  }
  return document_html("Status", published, body + services + "</div>");
}

std::string live_json(const Published& published, bool charts) {
  const auto pools = pools_of(*published.report, published.history);
  json::object lines;
  json::object rows;
  for (const auto& pool : pools) {
    lines[ipvs::string_from_service_key(pool.service)] =
        json::object{{"line", pool_line(pool)},
                     {"bars", charts ? json::value(share_bars(pool)) : json::value(nullptr)}};
    for (const auto& member : pool.members) {
      const auto row = row_of(member, published.history);
      rows[row_key(*member.verdict)] = row_json(row, published.history, charts);
    }
  }
  json::object document{
      {"cycle", published.report->cycle},
      {"interval_ms",
       std::chrono::ceil<std::chrono::milliseconds>(published.facts.interval).count()},
      {"updated", updated_text(published)},
      {"facts", facts_html(facts_of(published))},
      {"banner", banner_html(banner_of(published, pools))},
      {"pools", std::move(lines)},
      {"rows", std::move(rows)},
  };
  return json_text(document);
}

}  // namespace lvs::monitord
