#include "monitord/metric_families.hpp"

#include <prometheus/text_serializer.h>

#include <cmath>
#include <sstream>
#include <utility>

namespace lvs::monitord {

Labels labels_with(Labels labels, std::string name, std::string value) {
  labels.push_back({std::move(name), std::move(value)});
  return labels;
}

void MetricFamilies::family(std::string_view name, MetricType type, std::string_view help) {
  families_.push_back({std::string(name), std::string(help), type, {}});
}

void MetricFamilies::sample(double value, Labels labels) {
  if (!std::isfinite(value)) return;
  prometheus::ClientMetric metric;
  metric.label = std::move(labels);
  auto& family = families_.back();
  if (family.type == MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  family.metric.push_back(std::move(metric));
}

void MetricFamilies::histogram(std::string_view name, std::string_view help,
                               const DurationHistogram& histogram) {
  family(name, MetricType::Histogram, help);
  prometheus::ClientMetric metric;
  metric.histogram.sample_count = histogram.count();
  metric.histogram.sample_sum = histogram.sum_s;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < DurationHistogram::bounds.size(); ++i) {
    below += histogram.counts[i];
    metric.histogram.bucket.push_back({below, DurationHistogram::bounds[i]});
  }
  families_.back().metric.push_back(std::move(metric));
}

std::string MetricFamilies::text() && {
  std::erase_if(families_, [](const auto& family) { return family.metric.empty(); });
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families_);
  return std::move(out).str();
}

}  // namespace lvs::monitord
