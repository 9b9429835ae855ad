#pragma once

// Inline SVG for the page: sparklines, bars of shares and charts of an hour. Colours and strokes
// are classes of page.css, since the page forbids styles in attributes.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitord/history.hpp"
#include "monitord/pool_summary.hpp"

namespace lvs::monitord {

/// Means of equal parts of a time, oldest first; empty where nothing is known.
using Buckets = std::vector<std::optional<double>>;

/// A number of a point; NaN is unknown.
using PointNumber = std::function<double(const TimedPoint&)>;

/// `count` parts of the time from `from` (without) to `to` (with).
Buckets buckets_of(const std::vector<TimedPoint>& series, Moment from, Moment to, std::size_t count,
                   const PointNumber& number);

/// The `d` of an SVG path over `width` x `height` with `top` as the highest value: one piece of
/// line for every run of known values, and a run of one as a short dash.
std::string path_of(const Buckets& buckets, double width, double height, double top);

/// Ten minutes in small.
inline constexpr double spark_width = 90;
inline constexpr double spark_height = 18;
std::string sparkline(std::string_view path, std::string_view label);

/// Two bars, one above the other: shares of weight, shares of new connections.
std::string share_bars(const PoolSummary& pool);

struct ChartLine {
  std::string_view name{};   ///< in the legend
  std::string_view style{};  ///< class of page.css: line-1 to line-3
  Buckets buckets{};
};

/// A titled chart with axes and a legend. `top`: the highest value; empty: what the lines need.
std::string chart(std::string_view title, const std::vector<ChartLine>& lines,
                  std::optional<double> top);

}  // namespace lvs::monitord
