#include "monitord/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "monitord/html.hpp"

namespace lvs::monitord {
namespace {

constexpr double bar_width = 600;
constexpr double bar_height = 14;
constexpr double bar_gap = 4;
constexpr std::size_t bar_colours = 8;

constexpr double chart_width = 640;
constexpr double chart_height = 150;
constexpr double left = 44;    // room for the numbers of the y axis
constexpr double bottom = 20;  // and for the times

double highest_of(const std::vector<ChartLine>& lines) {
  double highest = 0;
  for (const auto& line : lines) {
    for (const auto& value : line.buckets)
      highest = std::max(highest, value.value_or(0));
  }
  return highest;
}

/// The next of 1, 2, 5, 10, 20, … that is not below.
double rounded_up(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * power) return step * power;
  }
  return 10 * power;
}

void add_bar(std::string& svg, const PoolSummary& pool, double MemberSummary::*share, double y,
             std::string_view word) {
  double x = 0;
  for (std::size_t i = 0; i < pool.members.size(); ++i) {
    const auto& member = pool.members[i];
    const double width = member.*share * bar_width;
    if (width <= 0) continue;
    fmt::format_to(
        std::back_inserter(svg),
        R"(<rect class="share-{}" x="{:.1f}" y="{:.0f}" width="{:.1f}" height="{:.0f}"><title>{}: {:.1f}% of the {}</title></rect>)",
        i % bar_colours, x, y, width, bar_height,
        html_from_text(ipvs::string_from_destination_key(member.verdict->destination)),
        100 * member.*share, word);
    x += width;
  }
}

std::string grid(double top) {
  std::string svg;
  constexpr std::array<double, 3> marks{0, 0.5, 1};
  for (const double mark : marks) {
    const double y = chart_height * (1 - mark);
    fmt::format_to(
        std::back_inserter(svg),
        R"(<line class="grid" x1="{0:.0f}" x2="{1:.0f}" y1="{2:.1f}" y2="{2:.1f}"/><text class="tick" x="{3:.0f}" y="{4:.1f}" text-anchor="end">{5:g}</text>)",
        left, left + chart_width, y, left - 4, y + 4, top * mark);
  }
  constexpr std::array<int, 5> minutes{60, 45, 30, 15, 0};
  for (const int before : minutes) {
    const double x = left + chart_width * (60 - before) / 60.0;
    fmt::format_to(std::back_inserter(svg),
                   R"(<text class="tick" x="{:.0f}" y="{:.0f}" text-anchor="{}">{}</text>)", x,
                   chart_height + bottom - 4, before == 0 ? "end" : "middle",
                   before == 0 ? std::string("now") : fmt::format("-{} min", before));
  }
  return svg;
}

std::string key_of(const std::vector<ChartLine>& lines) {
  std::string html = R"(<ul class="key">)";
  for (const auto& line : lines) {
    fmt::format_to(
        std::back_inserter(html),
        R"(<li><svg class="swatch" viewBox="0 0 24 8" aria-hidden="true"><path class="{}" d="M0 4H24"/></svg>{}</li>)",
        line.style, html_from_text(line.name));
  }
  return html + "</ul>";
}

/// "weight 10, lowest 3, highest 12": what a reader who sees no chart needs of it.
std::string words_of(const ChartLine& line) {
  std::optional<double> last;
  std::optional<double> low;
  std::optional<double> high;
  for (const auto& value : line.buckets) {
    if (!value) continue;
    last = value;
    low = std::min(low.value_or(*value), *value);
    high = std::max(high.value_or(*value), *value);
  }
  if (!last) return fmt::format("{}: nothing known", line.name);
  return fmt::format("{}: now {:.3g}, lowest {:.3g}, highest {:.3g}", line.name, *last, *low,
                     *high);
}

}  // namespace

Buckets buckets_of(const std::vector<TimedPoint>& series, Moment from, Moment to, std::size_t count,
                   const PointNumber& number) {
  std::vector<double> sums(count);
  std::vector<unsigned> found(count);
  const auto whole = static_cast<double>((to - from).count());
  for (const auto& point : series) {
    const double value = number(point);
    if (point.now <= from || point.now > to || !std::isfinite(value)) continue;
    const auto place = static_cast<double>((point.now - from).count()) / whole;
    const auto index = static_cast<std::size_t>(std::ceil(place * static_cast<double>(count))) - 1;
    sums[std::min(index, count - 1)] += value;
    ++found[std::min(index, count - 1)];
  }
  Buckets buckets(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (found[i] > 0) buckets[i] = sums[i] / found[i];
  }
  return buckets;
}

std::string path_of(const Buckets& buckets, double width, double height, double top) {
  std::string path;
  const double step = width / static_cast<double>(std::max<std::size_t>(buckets.size(), 1));
  bool drawing = false;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    if (!buckets[i]) {
      drawing = false;
      continue;
    }
    const double share = top > 0 ? std::clamp(*buckets[i] / top, 0.0, 1.0) : 0;
    const double y = height * (1 - share);
    const double x = step * static_cast<double>(i);
    // Each value holds over its part of the time, so a single one is seen as well.
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}H{:.1f}", drawing ? "L" : "M", x, y,
                   x + step);
    drawing = true;
  }
  return path;
}

std::string sparkline(std::string_view path, std::string_view label) {
  return fmt::format(
      R"(<svg class="spark" viewBox="0 -1 {:.0f} {:.0f}" role="img" aria-label="{}"><path class="line-1" d="{}"/></svg>)",
      spark_width, spark_height + 2, html_from_text(label), path);
}

std::string share_bars(const PoolSummary& pool) {
  std::string svg = fmt::format(
      R"(<svg class="shares" viewBox="0 0 {:.0f} {:.0f}" preserveAspectRatio="none" role="img" aria-label="Shares of weight above shares of new connections; the table has both as numbers">)",
      bar_width, 2 * bar_height + bar_gap);
  add_bar(svg, pool, &MemberSummary::weight_share, 0, "weight");
  add_bar(svg, pool, &MemberSummary::connection_share, bar_height + bar_gap, "new connections");
  return svg + "</svg>";
}

std::string chart(std::string_view title, const std::vector<ChartLine>& lines,
                  std::optional<double> top) {
  const double highest = top.value_or(rounded_up(highest_of(lines)));
  std::string label(title);
  std::string paths;
  for (const auto& line : lines) {
    label += "; " + words_of(line);
    fmt::format_to(std::back_inserter(paths), R"(<path class="{}" d="{}"/>)", line.style,
                   path_of(line.buckets, chart_width, chart_height, highest));
  }
  return fmt::format(
      R"svg(<figure><figcaption>{}</figcaption><svg class="chart" viewBox="0 -8 {:.0f} {:.0f}" role="img" aria-label="{}">{}<g transform="translate({:.0f} 0)">{}</g></svg>{}</figure>)svg",
      html_from_text(title), left + chart_width + 8, chart_height + bottom + 8,
      html_from_text(label), grid(highest), left, paths, key_of(lines));
}

}  // namespace lvs::monitord
