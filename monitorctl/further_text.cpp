#include "monitorctl/further_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace lvs::monitorctl {
namespace {

/// Collects the parts of the line that are known.
class Parts {
 public:
  void add(std::string_view part) {
    if (!text_.empty()) text_ += ", ";
    text_ += part;
  }
  void add_percent(std::string_view what, const std::optional<double>& share) {
    if (share) add(fmt::format("{} {:.1f} %", what, *share * 100));
  }
  [[nodiscard]] std::string text() const { return text_.empty() ? "-" : text_; }

 private:
  std::string text_{};
};

}  // namespace

std::string further_text(const loadcalc::FurtherMeasures& measures) {
  Parts parts;
  parts.add_percent("network", measures.network_utilisation);
  parts.add_percent("disk", measures.disk_utilisation);
  if (measures.processes) parts.add(fmt::format("{:.0f} processes", *measures.processes));
  if (measures.load_per_cpu) parts.add(fmt::format("load {:.2f} per CPU", *measures.load_per_cpu));
  parts.add_percent("CPU stall", measures.cpu_pressure);
  parts.add_percent("memory stall", measures.memory_pressure);
  parts.add_percent("I/O stall", measures.io_pressure);
  if (measures.response_s) parts.add(fmt::format("response {:.1f} ms", *measures.response_s * 1e3));
  return parts.text();
}

}  // namespace lvs::monitorctl
