#include "bench/scale_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

#include "bench/measured_row.hpp"
#include "bench/scale_json.hpp"

namespace lvs::bench {
namespace {

namespace json = boost::json;

/// From one size to the next one that was measured.
struct Step {
  const ScaleRow& from;
  const ScaleRow& to;
  double times{};  ///< CPU
  std::optional<double> cpu{}, cycle{}, rss{};
};

std::optional<double> exponent(const ScaleRow& from, const ScaleRow& to,
                               double (*figure)(const ScaleRow&)) {
  return growth_exponent({static_cast<double>(from.servers), figure(from)},
                         {static_cast<double>(to.servers), figure(to)});
}

Step step_between(const ScaleRow& from, const ScaleRow& to) {
  return {from,
          to,
          from.cpu_share > 0 ? to.cpu_share / from.cpu_share : 0,
          exponent(from, to, [](const ScaleRow& row) { return row.cpu_share; }),
          exponent(from, to, [](const ScaleRow& row) { return row.cycle_ms.p50; }),
          exponent(from, to, [](const ScaleRow& row) { return row.rss_mib; })};
}

std::vector<Step> steps_of(const std::vector<ScaleRow>& rows) {
  std::vector<Step> steps;
  for (std::size_t i = 1; i < rows.size(); ++i)
    steps.push_back(step_between(rows[i - 1], rows[i]));
  return steps;
}

std::string head_line() {
  return fmt::format("{:>8} {:>7} {:>9} {:>7} {:>8} {:>20} {:>24} {:>17} {:>5} {:>8} {:>18}\n",
                     "servers", "CPU %", "control %", "table %", "us/poll", "RSS/peak/1 h, MiB",
                     "cycle p50/p99/max, ms", "late p99/max, ms", "late", "timeouts",
                     "writes/server/min");
}

std::string line_of(const ScaleRow& row) {
  const auto memory = fmt::format("{:.1f}/{:.1f}/{:.1f}", row.rss_mib, row.peak_mib, row.hour_mib);
  const auto cycle =
      fmt::format("{:.2f}/{:.2f}/{:.2f}", row.cycle_ms.p50, row.cycle_ms.p99, row.cycle_ms.max);
  const auto lateness = fmt::format("{:.2f}/{:.2f}", row.lateness_ms.p99, row.lateness_ms.max);
  return fmt::format(
      "{:>8} {:>7.2f} {:>9.2f} {:>7.2f} {:>8.1f} {:>20} {:>24} {:>17} {:>5} {:>8} {:>18.3f}\n",
      row.servers, 100 * row.cpu_share, 100 * row.control_share, 100 * row.table_share,
      row.us_per_poll, memory, cycle, lateness, row.late, row.timeouts,
      writes_per_server_minute(row));
}

std::string figure_text(const std::optional<double>& figure) {
  return figure ? fmt::format("{:.3f}", *figure) : "-";
}

std::string line_of(const Step& step) {
  return fmt::format(
      "{} -> {} servers: CPU x{:.2f}, growth exponents: CPU {}, cycle p50 {}, RSS {}\n",
      step.from.servers, step.to.servers, step.times, figure_text(step.cpu),
      figure_text(step.cycle), figure_text(step.rss));
}

json::value value_or_null(const std::optional<double>& figure) {
  return figure ? json::value(*figure) : json::value(nullptr);
}

json::object object_from(const Step& step) {
  return {{"from", step.from.servers},
          {"to", step.to.servers},
          {"cpu_times", step.times},
          {"cpu_exponent", value_or_null(step.cpu)},
          {"cycle_exponent", value_or_null(step.cycle)},
          {"rss_exponent", value_or_null(step.rss)}};
}

template <typename Value>
json::array array_of(const std::vector<Value>& values, json::object (*object)(const Value&)) {
  json::array array;
  for (const auto& value : values)
    array.emplace_back(object(value));
  return array;
}

}  // namespace

std::string scale_text(const ScaleRounds& rounds) {
  const auto rows = rows_by_size(rounds);
  auto text = head_line();
  for (const auto& row : rows)
    text += line_of(row);
  text += "\n";
  for (const auto& step : steps_of(rows))
    text += line_of(step);
  return text + "\n" + rows_text(bar_rows(rounds));
}

std::string scale_json(const ScaleRounds& rounds) {
  const auto rows = rows_by_size(rounds);
  auto figures = size_rows(rounds);
  std::ranges::move(bar_rows(rounds), std::back_inserter(figures));
  auto document = json::parse(rows_json(figures)).as_object();
  document["scale"] = array_of<ScaleRow>(rows, object_from_scale_row);
  document["growth"] = array_of<Step>(steps_of(rows), object_from);
  return json::serialize(document) + "\n";
}

}  // namespace lvs::bench
