#include "monitord/metrics_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace lvs::monitord {
namespace {

void append_escaped(std::string& text, std::string_view value) {
  for (const char c : value) {
    if (c == '\\' || c == '"') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else {
      text += c;
    }
  }
}

}  // namespace

std::string label_text(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!text.empty()) text += ',';
    text.append(name).append("=\"");
    append_escaped(text, value);
    text += '"';
  }
  return text;
}

void MetricsText::family(std::string_view name, MetricType type, std::string_view help) {
  name_ = name;
  help_ = help;
  type_ = type;
  headed_ = false;
}

void MetricsText::head(std::string_view type) {
  fmt::format_to(std::back_inserter(text_), "# HELP {0} {1}\n# TYPE {0} {2}\n", name_, help_, type);
  headed_ = true;
}

void MetricsText::sample(double value, std::string_view labels) {
  if (!std::isfinite(value)) return;
  if (!headed_) head(type_ == MetricType::gauge ? "gauge" : "counter");
  const auto out = std::back_inserter(text_);
  if (labels.empty()) {
    fmt::format_to(out, "{} {}\n", name_, value);
  } else {
    fmt::format_to(out, "{}{{{}}} {}\n", name_, labels, value);
  }
}

void MetricsText::histogram(std::string_view name, std::string_view help,
                            const DurationHistogram& histogram) {
  name_ = name;
  help_ = help;
  head("histogram");
  const auto out = std::back_inserter(text_);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < DurationHistogram::bounds.size(); ++i) {
    below += histogram.counts[i];
    fmt::format_to(out, "{}_bucket{{le=\"{}\"}} {}\n", name, DurationHistogram::bounds[i], below);
  }
  fmt::format_to(out, "{0}_bucket{{le=\"+Inf\"}} {1}\n{0}_sum {2}\n{0}_count {1}\n", name,
                 histogram.count(), histogram.sum_s);
}

}  // namespace lvs::monitord
