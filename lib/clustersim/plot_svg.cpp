#include "clustersim/plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "clustersim/event_text.hpp"
#include "clustersim/plot_panel.hpp"
#include "clustersim/svg_canvas.hpp"

namespace lvs::clustersim {
namespace {

constexpr double margin = 16;
constexpr double line_height = 15;
constexpr std::size_t most_columns = 4;

Axis latency_axis(const std::vector<RunResult>& runs) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const RunResult& run : runs) {
    for (const SeriesPoint& at : run.series) {
      if (at.mean_ms <= 0) continue;
      least = std::min(least, at.mean_ms);
      most = std::max(most, at.mean_ms);
    }
  }
  return most > 0 ? Axis::logarithmic(least, most) : Axis::logarithmic(1, 10);
}

std::string server_text(const Server& server) {
  return fmt::format("speed {:g}, {} core{}", server.speed, server.cores,
                     server.cores == 1 ? "" : "s");
}

/// A place on the page that grows downwards.
struct Page {
  SvgCanvas canvas{};
  double width{}, y{margin};

  void text(double x, std::string_view text, const Font& font) {
    y += line_height;
    canvas.text({x, y}, text, font);
  }
};

/// Texts one after the other, in as many lines as it takes.
class Flow {
 public:
  Flow(Page& page, double size) : page_{page}, size_{size} { page_.y += line_height; }

  /// `swatch` empty: no line of that colour before the text.
  void add(std::string_view text, std::string_view swatch) {
    const double swatch_width = swatch.empty() ? 0 : 22;
    const double width = swatch_width + text_width(text, size_) + 18;
    if (x_ > margin && x_ + width > page_.width - margin) {
      x_ = margin;
      page_.y += line_height;
    }
    if (!swatch.empty()) {
      page_.canvas.line({x_, page_.y - 4}, {x_ + 16, page_.y - 4}, {swatch, 3});
    }
    page_.canvas.text({x_ + swatch_width, page_.y}, text, {size_, "#444444"});
    x_ += width;
  }

 private:
  Page& page_;
  double size_, x_{margin};
};

void draw_legend(Page& page, const Scenario& scenario) {
  const std::size_t count = scenario.servers.size();
  constexpr double size = 10.5;
  Flow flow(page, size);
  if (count > most_coloured) {
    flow.add(fmt::format("{} servers, a line each", count), server_colour(0, count));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    flow.add(fmt::format("{}: {}", i, server_text(scenario.servers[i])), server_colour(i, count));
  }
}

void draw_event_list(Page& page, const Scenario& scenario) {
  if (scenario.events.empty()) return;
  constexpr double size = 10.5;
  Flow flow(page, size);
  for (std::size_t i = 0; i < scenario.events.size(); ++i) {
    flow.add(fmt::format("{}) {}", i + 1, string_from_event(scenario.events[i])), "");
  }
}

void draw_group(Page& page, const PlotGroup& group) {
  const auto scheduler = group.runs.empty() ? group.scenario.scheduler : group.runs[0].scheduler;
  page.text(margin, fmt::format("{}, {}", group.scenario.name, scheduler),
            {16, "#111111", "start", true});
  draw_legend(page, group.scenario);
  draw_event_list(page, group.scenario);
  page.y += line_height;
  const Axis latency = latency_axis(group.runs);
  for (std::size_t i = 0; i < group.runs.size(); ++i) {
    const auto column = static_cast<double>(i % most_columns);
    if (i > 0 && i % most_columns == 0) page.y += panel_height;
    draw_panel(page.canvas, {margin + column * panel_width, page.y},
               {group.scenario, group.runs[i], latency});
  }
  page.y += panel_height + line_height;
}

}  // namespace

std::string svg_from_groups(const std::vector<PlotGroup>& groups) {
  std::size_t columns = 1;
  for (const PlotGroup& group : groups)
    columns = std::max(columns, std::min(most_columns, group.runs.size()));
  Page page;
  page.width = 2 * margin + static_cast<double>(columns) * panel_width;
  for (const PlotGroup& group : groups)
    draw_group(page, group);
  const auto title = groups.empty() ? std::string{} : groups.front().scenario.name;
  return page.canvas.document(page.width, page.y + margin, title);
}

}  // namespace lvs::clustersim
