#include "clustersim/summary.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lvs::clustersim {
namespace {

constexpr std::size_t window = 5;
constexpr double calm_ratio = 3;

double usual_latency(const std::vector<SeriesPoint>& series) {
  std::vector<double> second_half;
  for (std::size_t i = series.size() / 2; i < series.size(); ++i) {
    if (series[i].mean_ms > 0) second_half.push_back(series[i].mean_ms);
  }
  return median(std::move(second_half));
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double calm_s(const std::vector<SeriesPoint>& series) {
  const double limit = calm_ratio * usual_latency(series);
  for (std::size_t i = 0; i + window <= series.size(); ++i) {
    double sum = 0;
    for (std::size_t j = i; j < i + window; ++j)
      sum += series[j].mean_ms;
    if (sum <= limit * window) return i == 0 ? 0 : series[i - 1].at_s;
  }
  return series.empty() ? 0 : series.back().at_s;
}

Figures figures_of(const RunResult& run) {
  return {.seed = run.seed,
          .mean_ms = run.mean_ms,
          .p50_ms = run.p50_ms,
          .p95_ms = run.p95_ms,
          .p99_ms = run.p99_ms,
          .arrived = static_cast<double>(run.arrived),
          .failed = static_cast<double>(run.failed),
          .unfinished = static_cast<double>(run.unfinished),
          .writes_per_server_minute = run.writes_per_server_minute,
          .settle_s = run.settle_s,
          .calm_s = calm_s(run.series),
          .share_error = run.share_error,
          .answered_by_server = run.answered_by_server};
}

Figures medians_of(const std::vector<Figures>& runs) {
  Figures medians;
  const auto set = [&](double Figures::*figure) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Figures& run : runs)
      values.push_back(run.*figure);
    medians.*figure = median(std::move(values));
  };
  for (const auto figure :
       {&Figures::mean_ms, &Figures::p50_ms, &Figures::p95_ms, &Figures::p99_ms, &Figures::arrived,
        &Figures::failed, &Figures::unfinished, &Figures::writes_per_server_minute,
        &Figures::settle_s, &Figures::calm_s, &Figures::share_error}) {
    set(figure);
  }
  return medians;
}

}  // namespace lvs::clustersim
