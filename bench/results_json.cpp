#include "bench/results_json.hpp"

#include <boost/json.hpp>
#include <exception>

namespace lvs::bench {

using clustersim::Figures;
using clustersim::Summary;

namespace {

double number_at(const boost::json::object& object, std::string_view key) {
  return object.at(key).to_number<double>();
}

std::string text_at(const boost::json::object& object, std::string_view key) {
  return std::string{object.at(key).as_string()};
}

Figures figures_from(const boost::json::object& object) {
  Figures figures;
  figures.mean_ms = number_at(object, "mean_ms");
  figures.p50_ms = number_at(object, "p50_ms");
  figures.p95_ms = number_at(object, "p95_ms");
  figures.p99_ms = number_at(object, "p99_ms");
  figures.arrived = number_at(object, "arrived");
  figures.failed = number_at(object, "failed");
  figures.unfinished = number_at(object, "unfinished");
  figures.writes_per_server_minute = number_at(object, "writes_per_server_minute");
  figures.settle_s = number_at(object, "settle_s");
  figures.calm_s = number_at(object, "calm_s");
  figures.share_error = number_at(object, "share_error");
  return figures;
}

Summary summary_from(const boost::json::object& object) {
  Summary summary{text_at(object, "scenario"),
                  text_at(object, "scheduler"),
                  text_at(object, "strategy"),
                  figures_from(object),
                  {}};
  for (const auto& value : object.at("runs").as_array()) {
    const auto& run = value.as_object();
    summary.runs.push_back(figures_from(run));
    summary.runs.back().seed = run.at("seed").to_number<std::uint64_t>();
  }
  return summary;
}

}  // namespace

tl::expected<std::vector<Summary>, std::string> summaries_from_json(std::string_view text) {
  // Boost.JSON says with exceptions what is missing or of another type.
  try {
    std::vector<Summary> summaries;
    const auto document = boost::json::parse(text);
    for (const auto& value : document.as_object().at("results").as_array())
      summaries.push_back(summary_from(value.as_object()));
    return summaries;
  } catch (const std::exception& error) {
    return tl::make_unexpected(std::string{"no results of monitorctl simulate: "} + error.what());
  }
}

}  // namespace lvs::bench
