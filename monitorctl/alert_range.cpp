#include "monitorctl/alert_range.hpp"

#include <fmt/format.h>

#include <cmath>

#include "strictyaml/number.hpp"

namespace lvs::monitorctl {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::optional<double> number_from(std::string_view text, std::string_view unit) {
  if (!unit.empty() && text.ends_with(unit)) text.remove_suffix(unit.size());
  const auto number = strictyaml::number_from_string<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

std::optional<AlertRange> alert_range_from_text(std::string_view text, std::string_view unit) {
  AlertRange range;
  if (text.starts_with('@')) {
    range.inside = true;
    text.remove_prefix(1);
  }
  const auto colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto low = text.substr(0, colon);
    const auto number = low == "~" ? -infinity : number_from(low, unit);
    if (!number) return std::nullopt;
    range.low = *number;
    text.remove_prefix(colon + 1);
    if (text.empty()) return range;
  }
  const auto high = number_from(text, unit);
  if (!high || *high < range.low) return std::nullopt;
  range.high = *high;
  return range;
}

std::string string_from_alert_range(const AlertRange& range) {
  std::string text = range.inside ? "@" : "";
  if (std::isinf(range.low)) {
    text += "~:";
  } else if (range.low != 0 || std::isinf(range.high)) {
    text += fmt::format("{}:", range.low);
  }
  return std::isinf(range.high) ? text : text + fmt::format("{}", range.high);
}

bool alerts(const AlertRange& range, double value) {
  const bool within = value >= range.low && value <= range.high;
  return within == range.inside;
}

}  // namespace lvs::monitorctl
