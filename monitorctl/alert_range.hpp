#pragma once

// Ranges as the plugins of Nagios and Icinga have them (monitoring-plugins.org/doc/guidelines.html,
// "Threshold and Ranges"). Pure.

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace lvs::monitorctl {

/// Alerts outside of low..high, or with `inside` (an @) within it. Both ends belong to the range.
struct AlertRange {
  double low{0};
  double high{std::numeric_limits<double>::infinity()};
  bool inside{};

  friend bool operator==(const AlertRange&, const AlertRange&) = default;
};

/// "10", "10:", "~:10", "10:20", "@10:20". `unit` ("%", "s") may stand behind each number.
std::optional<AlertRange> alert_range_from_text(std::string_view text, std::string_view unit);
/// Without units, as performance data has it.
std::string string_from_alert_range(const AlertRange& range);

bool alerts(const AlertRange& range, double value);

}  // namespace lvs::monitorctl
