// timeline - draws what bench/cluster measured: results from stdin, a line each, of one pool under
// one load; an SVG document to stdout.

#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>

#include "bench/timeline.hpp"
#include "cli/exit_status.hpp"

namespace {

namespace exit_status = lvs::cli::exit_status;

int run() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const auto groups = lvs::bench::plot_groups_from_results(text);
  if (!groups) {
    std::fprintf(stderr, "timeline: %s\n", groups.error().c_str());
    return exit_status::bad_file;
  }
  const auto svg = lvs::clustersim::svg_from_groups(*groups);
  const bool written = std::fputs(svg.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? exit_status::ok : exit_status::failure;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "timeline: %s\n", error.what());
    return exit_status::failure;
  }
}
