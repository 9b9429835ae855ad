#include "clustersim/plot_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

namespace lvs::clustersim {
namespace {

constexpr double left = 44, right = 44;
constexpr double weights_top = 46, weights_bottom = 216;
constexpr double latency_top = 240, latency_bottom = 346;
constexpr double headroom = 1.05;  // a line on the upper edge would meet what is written there
constexpr std::string_view grid_colour = "#e4e4e4";
constexpr std::string_view axis_colour = "#808080";
constexpr std::string_view latency_colour = "#222222";

constexpr std::array<std::string_view, most_coloured> palette{
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7a5195"};

/// The corner of a panel and the axes of one of its two charts.
struct Chart {
  Axis x, y;
  double top{}, bottom{}, begin{}, end{};
};

Chart chart_at(Point corner, double top, double bottom, double duration_s, const Axis& y) {
  const double begin = corner.x + left;
  const double end = corner.x + panel_width - right;
  constexpr int time_ticks = 6;
  return {Axis::over(0, duration_s, time_ticks).at(begin, end),
          y.at(corner.y + bottom, corner.y + top),
          corner.y + top,
          corner.y + bottom,
          begin,
          end};
}

void draw_frame(SvgCanvas& canvas, const Chart& chart, std::string_view label) {
  constexpr double size = 10;
  for (const double tick : chart.y.ticks()) {
    const double y = chart.y.pixel(tick);
    canvas.line({chart.begin, y}, {chart.end, y}, {grid_colour, 1});
    canvas.text({chart.begin - 5, y + 3.5}, tick_text(tick), {size, "#555555", "end"});
  }
  for (const double tick : chart.x.ticks()) {
    const double x = chart.x.pixel(tick);
    canvas.line({x, chart.bottom}, {x, chart.bottom + 4}, {axis_colour, 1});
  }
  canvas.line({chart.begin, chart.bottom}, {chart.end, chart.bottom}, {axis_colour, 1});
  canvas.text({chart.begin, chart.top - 6}, label, {size, "#555555"});
}

void draw_times(SvgCanvas& canvas, const Chart& chart) {
  for (const double tick : chart.x.ticks()) {
    canvas.text({chart.x.pixel(tick), chart.bottom + 16}, tick_text(tick) + " s",
                {10, "#555555", "middle"});
  }
}

/// Dashed lines; the numbers are those of the list below. At one time there is one number.
void draw_events(SvgCanvas& canvas, const Chart& chart, const Scenario& scenario, bool numbered) {
  double taken_until = 0;
  for (std::size_t i = 0; i < scenario.events.size(); ++i) {
    const double x = chart.x.pixel(scenario.events[i].at_s);
    canvas.line({x, chart.top}, {x, chart.bottom}, {"#999999", 1, 1, "3 3"});
    const std::string number = std::to_string(i + 1);
    if (!numbered || x < taken_until) continue;
    canvas.text({x, chart.top - 3}, number, {9, "#666666", "middle"});
    taken_until = x + text_width(number, 9) + 2;
  }
}

std::vector<Point> weight_line(const Chart& chart, const RunResult& run, std::size_t server) {
  std::vector<Point> points;
  for (const SeriesPoint& at : run.series) {
    const double y = chart.y.pixel(at.weights[server]);
    if (points.empty()) points.push_back({chart.begin, y});
    if (points.back().y == y) continue;
    // A weight holds until the next cycle: a step, not a slope.
    points.push_back({chart.x.pixel(at.at_s), points.back().y});
    points.push_back({chart.x.pixel(at.at_s), y});
  }
  if (!points.empty()) points.push_back({chart.end, points.back().y});
  return points;
}

/// "0-2, 5" for 0, 1, 2 and 5.
std::string ranges_text(const std::vector<std::size_t>& servers) {
  std::vector<std::string> ranges;
  for (std::size_t begin = 0; begin < servers.size();) {
    std::size_t end = begin;
    while (end + 1 < servers.size() && servers[end + 1] == servers[end] + 1)
      ++end;
    ranges.push_back(begin == end ? std::to_string(servers[begin])
                                  : fmt::format("{}-{}", servers[begin], servers[end]));
    begin = end + 1;
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

/// Beside the lines of these servers; lines that end together share a label.
void draw_labels(SvgCanvas& canvas, const Chart& chart, const RunResult& run, std::size_t count) {
  std::map<std::uint32_t, std::vector<std::size_t>, std::greater<>> by_weight;
  for (std::size_t server = 0; server < count; ++server)
    by_weight[run.series.back().weights[server]].push_back(server);
  constexpr double line_height = 11;
  double lowest = chart.top - line_height;
  for (const auto& [weight, servers] : by_weight) {
    const double y = std::max(chart.y.pixel(weight), lowest + line_height);
    lowest = y;
    const auto colour = server_colour(servers.front(), count);
    canvas.text({chart.end + 5, y + 3.5}, ranges_text(servers), {10, colour, "start", true});
  }
}

void draw_weights(SvgCanvas& canvas, const Chart& chart, const RunResult& run) {
  const std::size_t count = run.series.front().weights.size();
  const bool coloured = count <= most_coloured;
  for (std::size_t server = 0; server < count; ++server) {
    // Earlier lines are wider, so that those which lie under others show at their edges.
    const double width = coloured ? 3.4 - 0.3 * static_cast<double>(server) : 0.8;
    canvas.path(weight_line(chart, run, server),
                {server_colour(server, count), width, coloured ? 1 : 0.45});
  }
  if (coloured) draw_labels(canvas, chart, run, count);
}

/// Cycles in which no request ended interrupt the line.
void draw_latency(SvgCanvas& canvas, const Chart& chart, const RunResult& run) {
  std::vector<Point> points;
  const Stroke stroke{latency_colour, 1.1};
  for (const SeriesPoint& at : run.series) {
    if (at.mean_ms > 0) {
      points.push_back({chart.x.pixel(at.at_s), chart.y.pixel(at.mean_ms)});
      continue;
    }
    canvas.path(points, stroke);
    points.clear();
  }
  canvas.path(points, stroke);
}

double largest_weight(const RunResult& run) {
  std::uint32_t most = 1;
  for (const SeriesPoint& at : run.series) {
    for (const auto weight : at.weights)
      most = std::max(most, weight);
  }
  return most;
}

std::string ms_text(double ms) {
  return fmt::format("{:.{}f}", ms, ms < 100 ? 1 : 0);
}

void draw_title(SvgCanvas& canvas, Point corner, const RunResult& run) {
  canvas.text({corner.x + left, corner.y + 12}, run.strategy, {13, "#111111", "start", true});
  auto figures =
      fmt::format("mean {} ms, p99 {} ms, {:.2f} writes/server/min", ms_text(run.mean_ms),
                  ms_text(run.p99_ms), run.writes_per_server_minute);
  if (run.failed > 0) figures += fmt::format(", {} failed", run.failed);
  canvas.text({corner.x + left, corner.y + 26}, figures, {10, "#555555"});
}

}  // namespace

std::string_view server_colour(std::size_t server, std::size_t count) {
  return count <= most_coloured ? palette.at(server % most_coloured) : palette[0];
}

void draw_panel(SvgCanvas& canvas, Point corner, const Panel& panel) {
  const RunResult& run = panel.run;
  draw_title(canvas, corner, run);
  if (run.series.empty()) return;
  const double duration = panel.scenario.duration_s;
  const auto weights = chart_at(corner, weights_top, weights_bottom, duration,
                                Axis::from_zero(headroom * largest_weight(run)));
  const auto latency = chart_at(corner, latency_top, latency_bottom, duration, panel.latency);
  draw_frame(canvas, weights, "weight");
  draw_frame(canvas, latency, "mean latency of a cycle, ms");
  draw_times(canvas, latency);
  draw_events(canvas, weights, panel.scenario, true);
  draw_events(canvas, latency, panel.scenario, false);
  draw_weights(canvas, weights, run);
  draw_latency(canvas, latency, run);
}

}  // namespace lvs::clustersim
