#pragma once

// One run as a panel: weights by server above, latency below, time to the right.

#include <string>
#include <vector>

#include "clustersim/plot_axis.hpp"
#include "clustersim/scenario.hpp"
#include "clustersim/simulation.hpp"
#include "clustersim/svg_canvas.hpp"

namespace lvs::clustersim {

inline constexpr double panel_width = 400;
inline constexpr double panel_height = 372;
/// More servers than that are not told apart by colour.
inline constexpr std::size_t most_coloured = 8;

/// Distinct for readers with any colour vision on white (Okabe and Ito, 2008, without yellow, which
/// is too light there).
std::string_view server_colour(std::size_t server, std::size_t count);

struct Panel {
  const Scenario& scenario;
  const RunResult& run;
  Axis latency;  ///< the same for panels that are compared
};

void draw_panel(SvgCanvas& canvas, Point corner, const Panel& panel);

}  // namespace lvs::clustersim
