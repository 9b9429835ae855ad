#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "clustersim/plot_axis.hpp"
#include "clustersim/plot_panel.hpp"
#include "clustersim/plot_svg.hpp"
#include "clustersim/svg_canvas.hpp"
#include "support/catch.hpp"

using namespace lvs::clustersim;

namespace {

/// One element's name and attributes between "<" and ">"; empty when it is not well-formed.
std::string element_name(std::string_view inside) {
  std::size_t quotes = 0;
  for (const char c : inside) {
    if (c == '"') ++quotes;
    if (c == '<') return {};
  }
  const std::size_t end = inside.find_first_of(" \n/");
  return quotes % 2 == 0 ? std::string{inside.substr(0, end)} : std::string{};
}

/// Whether every "&" begins one of XML's own entities.
bool entities_are_known(std::string_view text) {
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    bool known = false;
    for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"})
      known = known || text.substr(at).starts_with(entity);
    if (!known) return false;
  }
  return true;
}

/// Elements are nested and closed, there is one root, nothing is left over.
bool is_well_formed(std::string_view text) {
  if (!text.starts_with("<?xml") || !entities_are_known(text)) return false;
  text.remove_prefix(text.find("?>") + 2);
  std::vector<std::string> open;
  std::size_t roots = 0;
  while (true) {
    const std::size_t begin = text.find('<');
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find('>', begin);
    if (end == std::string_view::npos) return false;
    const std::string_view inside = text.substr(begin + 1, end - begin - 1);
    text.remove_prefix(end + 1);
    if (inside.starts_with('/')) {
      if (open.empty() || open.back() != inside.substr(1)) return false;
      open.pop_back();
      continue;
    }
    const std::string name = element_name(inside);
    if (name.empty()) return false;
    if (open.empty()) ++roots;
    if (!inside.ends_with('/')) open.push_back(name);
  }
  return open.empty() && roots == 1;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

RunResult run_of(const std::string& strategy, std::size_t servers) {
  RunResult run;
  run.scheduler = "wrr";
  run.strategy = strategy;
  run.mean_ms = 41.64;
  run.p99_ms = 310;
  for (int cycle = 1; cycle <= 10; ++cycle) {
    SeriesPoint point;
    point.at_s = 2 * cycle;
    for (std::size_t server = 0; server < servers; ++server)
      point.weights.push_back(static_cast<std::uint32_t>(10 + 10 * server * (cycle > 3 ? 1 : 0)));
    point.mean_ms = cycle == 5 ? 0 : 100.0 / cycle;
    run.series.push_back(point);
  }
  return run;
}

PlotGroup group_of(std::size_t servers) {
  PlotGroup group;
  group.scenario.name = "golden";
  group.scenario.duration_s = 20;
  group.scenario.servers.resize(servers);
  group.scenario.servers.back().speed = 4;
  group.scenario.events = {{.at_s = 6, .server = 0, .background = 0.6}, {.at_s = 12, .load = 0.9}};
  group.runs = {run_of("capacity", servers), run_of("equal", servers)};
  return group;
}

}  // namespace

TEST_CASE("plot: text of a scenario cannot break out of the document") {
  CHECK(xml_from_text("a<b>&\"c\"\n\x1b\x7f") == "a&lt;b&gt;&amp;&quot;c&quot;   ");
  PlotGroup group = group_of(2);
  group.scenario.name = "</svg><script>\"&";
  group.runs[0].strategy = "<&>";
  const auto svg = svg_from_groups({group});
  CHECK(is_well_formed(svg));
  CHECK(svg.find("<script") == std::string::npos);
}

TEST_CASE("plot: nothing to draw is still a document") {
  CHECK(is_well_formed(svg_from_groups({})));
  PlotGroup group = group_of(2);
  group.runs[0].series.clear();
  CHECK(is_well_formed(svg_from_groups({group})));
  group.runs.clear();
  CHECK(is_well_formed(svg_from_groups({group})));
}

TEST_CASE("plot: a run without a finished request has weights and no latency") {
  PlotGroup group = group_of(1);
  group.runs.pop_back();
  for (auto& point : group.runs[0].series)
    point.mean_ms = 0;
  const auto svg = svg_from_groups({group});
  CHECK(is_well_formed(svg));
  CHECK(count_of(svg, "<polyline") == 1);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
}

TEST_CASE("plot: every server has a line and every strategy a panel") {
  const auto svg = svg_from_groups({group_of(3)});
  CHECK(is_well_formed(svg));
  // A latency line is in two parts: no request ended in one cycle.
  CHECK(count_of(svg, "<polyline") == 2 * (3 + 2));
  CHECK(count_of(svg, ">capacity</text>") == 1);
  CHECK(count_of(svg, ">equal</text>") == 1);
  CHECK(count_of(svg, "1) 6 s: server 0: background 0.6") == 1);
  CHECK(count_of(svg, ">2: speed 4, 1 core</text>") == 1);
}

TEST_CASE("plot: a large pool is one line each and no legend of hundreds") {
  const auto svg = svg_from_groups({group_of(40)});
  CHECK(is_well_formed(svg));
  CHECK(count_of(svg, "<polyline") == 2 * (40 + 2));
  CHECK(count_of(svg, "40 servers, a line each") == 1);
  CHECK(count_of(svg, "speed") == 0);
}

TEST_CASE("plot: a known group is drawn as the golden picture") {
  std::ifstream file{LVS_SOURCE_DIR "/tests/golden/scenario/plot.svg", std::ios::binary};
  const std::string golden{std::istreambuf_iterator<char>{file}, {}};
  CHECK(svg_from_groups({group_of(2)}) == golden);
}

TEST_CASE("plot: colours are distinct as long as they are told apart") {
  for (std::size_t one = 0; one < most_coloured; ++one) {
    for (std::size_t other = one + 1; other < most_coloured; ++other)
      CHECK(server_colour(one, most_coloured) != server_colour(other, most_coloured));
  }
  CHECK(server_colour(0, 9) == server_colour(8, 9));
}

TEST_CASE("axis: ends and ticks are round numbers") {
  const auto [most, end, ticks] = GENERATE(table<double, double, std::size_t>({
      {0, 1e-9, 3},  // a flat line at the bottom, not a division by zero
      {1, 1, 3},
      {10, 10, 3},
      {12, 15, 4},
      {100, 100, 3},
      {65535, 80000, 5},
  }));
  const Axis axis = Axis::from_zero(most);
  CHECK(axis.least() == 0);
  CHECK(axis.most() == Approx(end));
  CHECK(axis.ticks().size() == ticks);
}

TEST_CASE("axis: a logarithmic axis holds its values between round numbers") {
  const auto [least, most, bottom, top, ticks] =
      GENERATE(table<double, double, double, double, std::size_t>({
          {7, 7, 5, 10, 2},
          {10, 10, 10, 20, 2},
          {8.5, 42, 5, 50, 4},
          {1, 1000, 1, 1000, 10},
          {0.3, 70'000, 0.2, 100'000, 6},
      }));
  const Axis axis = Axis::logarithmic(least, most);
  CHECK(axis.least() == Approx(bottom));
  CHECK(axis.most() == Approx(top));
  CHECK(axis.ticks().size() == ticks);
}

TEST_CASE("axis: values become pixels and what is beyond stays at the end") {
  const Axis linear = Axis::over(0, 100, 4).at(200, 100);
  CHECK(linear.pixel(0) == Approx(200));
  CHECK(linear.pixel(25) == Approx(175));
  CHECK(linear.pixel(1000) == Approx(100));
  CHECK(linear.pixel(-1) == Approx(200));
  const Axis logarithmic = Axis::logarithmic(1, 100).at(0, 100);
  CHECK(logarithmic.pixel(10) == Approx(50));
  CHECK(logarithmic.pixel(0.001) == Approx(0));
}

TEST_CASE("axis: ticks are written short") {
  const auto [value, text] = GENERATE(table<double, std::string>(
      {{0, "0"}, {0.05, "0.05"}, {20, "20"}, {1500, "1500"}, {20'000, "20k"}}));
  CHECK(tick_text(value) == text);
}
