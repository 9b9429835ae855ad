#pragma once

// Families of metrics one after the other, as Prometheus' text format 0.0.4 by prometheus-cpp.

#include <prometheus/metric_family.h>

#include <string>
#include <string_view>
#include <vector>

#include "monitord/duration_histogram.hpp"

namespace lvs::monitord {

using MetricType = prometheus::MetricType;
using Labels = std::vector<prometheus::ClientMetric::Label>;

/// `labels`, and one more.
Labels labels_with(Labels labels, std::string name, std::string value);

class MetricFamilies {
 public:
  /// Begins a family of gauges or counters: every sample until the next one belongs to it. A family
  /// without a sample is not shown.
  void family(std::string_view name, MetricType type, std::string_view help);
  /// A number that is none is not shown.
  void sample(double value, Labels labels = {});
  void histogram(std::string_view name, std::string_view help, const DurationHistogram& histogram);

  [[nodiscard]] std::string text() &&;

 private:
  std::vector<prometheus::MetricFamily> families_{};
};

}  // namespace lvs::monitord
