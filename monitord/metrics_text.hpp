#pragma once

// Prometheus' text format 0.0.4. By hand rather than with prometheus-cpp: it is one page, it takes
// a third of the time with 10,000 destinations, and it is one package less on a director. promtool
// checks it in the tests.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/duration_histogram.hpp"

namespace lvs::monitord {

enum class MetricType { gauge, counter };

using Labels = std::vector<std::pair<std::string_view, std::string>>;

/// `a="1",b="two"`: escaped, without braces; "" for none.
std::string label_text(const Labels& labels);

class MetricsText {
 public:
  /// Begins a family: every sample until the next one belongs to it. A family without a sample is
  /// not shown.
  void family(std::string_view name, MetricType type, std::string_view help);
  /// `labels` as label_text() makes them. A number that is none is not shown.
  void sample(double value, std::string_view labels = {});
  void histogram(std::string_view name, std::string_view help, const DurationHistogram& histogram);

  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  void head(std::string_view type);

  std::string text_{};
  std::string name_{}, help_{};
  MetricType type_{};
  bool headed_{};
};

}  // namespace lvs::monitord
