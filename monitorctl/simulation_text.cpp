#include <fmt/format.h>

#include <algorithm>

#include "monitorctl/number_text.hpp"
#include "monitorctl/simulation_report.hpp"

namespace lvs::monitorctl {

using clustersim::Scenario;
using clustersim::Summary;

namespace {

constexpr auto row_format = "{:<21} {:>9} {:>9} {:>9} {:>8} {:>10} {:>17} {:>8} {:>11} {:>7}\n";

bool same_table(const Summary& one, const Summary& other) {
  return one.scenario == other.scenario && one.scheduler == other.scheduler;
}

std::string load_text(const Scenario& scenario) {
  if (scenario.load) return fmt::format("load {:g}", *scenario.load);
  return fmt::format("{:g} requests/s", scenario.arrivals_per_s.value_or(0));
}

std::string heading(const Summary& summary, const std::vector<Scenario>& scenarios) {
  auto text = fmt::format("{}, {}", summary.scenario, summary.scheduler);
  const auto scenario = std::find_if(scenarios.begin(), scenarios.end(),
                                     [&](const Scenario& s) { return s.name == summary.scenario; });
  if (scenario != scenarios.end()) {
    const std::size_t servers = scenario->servers.size();
    text += fmt::format(": {} server{}, {}, {:g} s", servers, servers == 1 ? "" : "s",
                        load_text(*scenario), scenario->duration_s);
  }
  const std::size_t seeds = summary.runs.size();
  if (seeds > 1) text += fmt::format(", medians of {} seeds", seeds);
  return text + "\n" +
         fmt::format(row_format, "strategy", "mean_ms", "p50_ms", "p99_ms", "failed", "unfinished",
                     "writes/server/min", "settle_s", "share_error", "/equal");
}

std::string latency_text(double ms) {
  constexpr double large = 1000;
  return number_text(ms, ms < large ? 2 : 0);
}

std::string row(const Summary& summary, const std::optional<double>& ratio) {
  const auto& figures = summary.medians;
  return fmt::format(
      row_format, summary.strategy, latency_text(figures.mean_ms), latency_text(figures.p50_ms),
      latency_text(figures.p99_ms), number_text(figures.failed, 0),
      number_text(figures.unfinished, 0), number_text(figures.writes_per_server_minute, 2),
      number_text(figures.settle_s, 0), number_text(figures.share_error, 4), number_text(ratio, 3));
}

}  // namespace

std::optional<double> ratio_to_equal(const Summary& summary,
                                     const std::vector<Summary>& summaries) {
  const auto equal = std::find_if(summaries.begin(), summaries.end(), [&](const Summary& other) {
    return same_table(summary, other) && other.strategy == "equal";
  });
  if (equal == summaries.end() || equal->medians.mean_ms <= 0) return std::nullopt;
  return summary.medians.mean_ms / equal->medians.mean_ms;
}

std::string simulation_text(const std::vector<Summary>& summaries,
                            const std::vector<Scenario>& scenarios) {
  std::string text;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    if (i == 0 || !same_table(summaries[i - 1], summaries[i])) {
      text += (i == 0 ? "" : "\n") + heading(summaries[i], scenarios);
    }
    text += row(summaries[i], ratio_to_equal(summaries[i], summaries));
  }
  return text;
}

}  // namespace lvs::monitorctl
