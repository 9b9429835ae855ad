#include <boost/json.hpp>
#include <cmath>
#include <cstdint>

#include "monitorctl/simulation_report.hpp"

namespace lvs::monitorctl {

using clustersim::Figures;
using clustersim::Summary;

namespace {

/// Whole numbers as such; a median of counts may lie between two of them.
boost::json::value count_value(double count) {
  if (std::trunc(count) == count) return static_cast<std::int64_t>(count);
  return count;
}

void add_figures(boost::json::object& object, const Figures& figures) {
  object["mean_ms"] = figures.mean_ms;
  object["p50_ms"] = figures.p50_ms;
  object["p95_ms"] = figures.p95_ms;
  object["p99_ms"] = figures.p99_ms;
  object["failed"] = count_value(figures.failed);
  object["writes_per_server_minute"] = figures.writes_per_server_minute;
  object["settle_s"] = figures.settle_s;
  object["share_error"] = figures.share_error;
  object["arrived"] = count_value(figures.arrived);
  object["unfinished"] = count_value(figures.unfinished);
  object["calm_s"] = figures.calm_s;
}

boost::json::object run_object(const Figures& figures) {
  boost::json::object object{{"seed", figures.seed}};
  add_figures(object, figures);
  object["answered_by_server"] = boost::json::value_from(figures.answered_by_server);
  return object;
}

boost::json::object summary_object(const Summary& summary, const std::vector<Summary>& summaries) {
  boost::json::object object{{"scenario", summary.scenario},
                             {"scheduler", summary.scheduler},
                             {"strategy", summary.strategy}};
  add_figures(object, summary.medians);
  const auto ratio = ratio_to_equal(summary, summaries);
  object["ratio_to_equal"] = ratio ? boost::json::value(*ratio) : boost::json::value(nullptr);
  boost::json::array runs;
  for (const Figures& run : summary.runs)
    runs.emplace_back(run_object(run));
  object["runs"] = std::move(runs);
  return object;
}

}  // namespace

std::string simulation_json(const std::vector<Summary>& summaries) {
  boost::json::array results;
  for (const Summary& summary : summaries)
    results.emplace_back(summary_object(summary, summaries));
  return boost::json::serialize(boost::json::object{{"results", std::move(results)}}) + "\n";
}

}  // namespace lvs::monitorctl
