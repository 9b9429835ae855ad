#pragma once

// What monitord answers on its control socket, as values. Pure. Tolerant on purpose: a daemon of
// another version may know more keys or fewer, and what is missing is unknown, not an error.

#include <boost/json/value.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "loadcalc/further_measures.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::monitorctl {

/// A destination's verdict of the last cycle; names as in the status document.
struct DestinationStatus {
  std::string destination{};  ///< "10.0.0.11:80"
  std::string server{}, forwarding{}, reading{}, outcome{}, reason{};
  std::optional<std::uint64_t> base{}, current{}, target{}, write{};
  std::optional<std::uint64_t> new_connections{}, active{}, inactive{};
  std::optional<double> boundary{}, age_s{}, cpu_busy{}, mem_available{}, composite{}, input{};
  std::optional<double> completed{}, capacity{}, correction{};
  loadcalc::FurtherMeasures further{};
  std::string strategy{}, note{};
  std::optional<double> ratio_exponent{}, score{};
  std::vector<loadcalc::Term> terms{};
  std::optional<double> wish{}, eased{}, scaled{};  ///< the target on its way to an integer

  friend bool operator==(const DestinationStatus&, const DestinationStatus&) = default;
};

/// What monitord leaves alone is not asked, so that its silence says nothing.
inline bool is_left_alone(const DestinationStatus& destination) {
  return destination.outcome == "unmanaged" || destination.outcome == "weights_ignored";
}

struct ServiceStatus {
  std::string service{};  ///< "tcp 10.9.9.9:80"
  std::string scheduler{};
  std::vector<DestinationStatus> destinations{};

  friend bool operator==(const ServiceStatus&, const ServiceStatus&) = default;
};

/// What became of a planned write of the last cycle.
struct AppliedStatus {
  std::string service{}, destination{}, result{}, error{};
  std::optional<std::uint64_t> from{}, to{};

  friend bool operator==(const AppliedStatus&, const AppliedStatus&) = default;
};

struct Status {
  std::string version{};
  std::uint64_t cycle{};
  std::optional<double> wall_time{};   ///< seconds since the epoch
  std::optional<double> interval_s{};  ///< between two cycles
  bool dry_run{};
  std::string degraded{};  ///< why the table could not be read
  std::vector<std::string> notes{};
  std::vector<std::string> orders{};  ///< that stand, a sentence each
  using Counters = std::vector<std::pair<std::string, std::uint64_t>>;
  Counters polls{}, probes{};  ///< in their order
  std::uint64_t writes{}, failed_writes{}, suppressed{}, foreign_edits{};
  std::vector<ServiceStatus> services{};
  std::vector<AppliedStatus> applied{};

  friend bool operator==(const Status&, const Status&) = default;
};

/// Verdicts by the names of service and destination. Refers to the status that it was made from.
class StatusIndex {
 public:
  StatusIndex() = default;
  explicit StatusIndex(const Status& status);
  /// Null when the daemon does not know it.
  [[nodiscard]] const DestinationStatus* find(std::string_view service,
                                              std::string_view destination) const;

 private:
  std::map<std::pair<std::string_view, std::string_view>, const DestinationStatus*> entries_{};
};

/// The `result` of `{"ok":true,"result":…}`. The error is one line for people: not JSON, or
/// monitord's own `error` and `hint`.
tl::expected<boost::json::value, std::string> result_from_answer(std::string_view answer);

/// The error says which part is no status document.
tl::expected<Status, std::string> status_from_json(const boost::json::value& document);

}  // namespace lvs::monitorctl
