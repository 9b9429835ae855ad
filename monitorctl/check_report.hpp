#pragma once

// `monitorctl check`: whether a person has to look, for Nagios, Icinga and whatever runs their
// plugins. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/types.hpp"
#include "monitorctl/alert_range.hpp"
#include "monitorctl/control_client.hpp"
#include "monitorctl/printed.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

/// The exit statuses of a plugin.
enum class CheckState { ok = 0, warning = 1, critical = 2, unknown = 3 };

struct AlertRanges {
  AlertRange warning{}, critical{};

  friend bool operator==(const AlertRanges&, const AlertRanges&) = default;
};

struct CheckLimits {
  /// Of the destinations with a weight in a service: the share without a reading, in percent.
  AlertRanges silent{{0, 20, false}, {0, 50, false}};
  /// Mean CPU occupancy of a service's destinations with a weight, in percent.
  AlertRanges cpu{{0, 90, false}, {0, 95, false}};
  /// Seconds since the last cycle ended; empty: above 5 intervals of monitord's, at least 10 s, and
  /// three times that.
  std::optional<AlertRange> age_warning{}, age_critical{};

  friend bool operator==(const CheckLimits&, const CheckLimits&) = default;
};

/// What there is to judge.
struct CheckSights {
  std::optional<ipvs::ServiceKey> service{};  ///< this one only
  /// Empty when the kernel could not be read: then the daemon's word has to do, which does not know
  /// services without destinations.
  std::optional<std::vector<ipvs::ServiceEntry>> table{};
  tl::expected<Status, ControlFailure> daemon{};
  double now{};  ///< seconds since the epoch
};

/// One thing that was found; `ok` is information.
struct CheckFinding {
  CheckState state{};
  std::string text{};

  friend bool operator==(const CheckFinding&, const CheckFinding&) = default;
};

struct CheckReport {
  CheckState state{};  ///< the worst: critical, warning, unknown, ok
  std::string summary{};
  std::vector<CheckFinding> findings{};  ///< problems, the worst first
  std::vector<std::string> details{};    ///< further lines
  std::vector<std::string> numbers{};    ///< performance data: LABEL=VALUE[UNIT];WARN;CRIT;MIN;MAX
};

CheckReport check_report(const CheckSights& sights, const CheckLimits& limits);

/// "MONITORD CRITICAL - SUMMARY | NUMBERS", then a line for each finding and detail.
Printed printed_check(const CheckReport& report);

/// For a check that cannot be carried out: on stdout, where a monitoring system looks.
Printed check_impossible(std::string_view why);

}  // namespace lvs::monitorctl
