#pragma once

// Values that go into and come out of one cycle.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ipvs/types.hpp"
#include "loadcalc/capacity_model.hpp"
#include "monitord/reading.hpp"

namespace lvs::monitord {

/// Mean response time of each probed destination over the last interval, seconds.
using ResponseTimes = std::map<std::pair<ipvs::ServiceKey, ipvs::DestinationKey>, double>;

/// Everything that one cycle has seen.
struct Observations {
  Moment now{};
  std::vector<ipvs::ServiceEntry> table{};
  Readings readings{};
  ResponseTimes responses{};

  friend bool operator==(const Observations&, const Observations&) = default;
};

/// What is remembered about a destination. `base` never drifts: configured, or the kernel weight
/// at first sight (never 0), or what a foreign writer set.
struct DestinationState {
  std::uint32_t base{};  ///< 0: not yet known (first seen at weight 0)
  bool base_configured{};
  std::uint32_t last_weight{};  ///< the kernel's weight when last seen, or what we wrote since
  /// A write of ours whose outcome is not known (killed or timed out around it): seeing this
  /// weight is not a foreign write.
  std::optional<std::uint32_t> intended{};
  std::uint64_t connections{};  ///< kernel total at the last cycle
  std::uint32_t active{};
  std::uint32_t active_when_fresh{};  ///< active connections when its reading was last fresh
  Moment first_seen{};
  unsigned absences{};  ///< dumps in a row without it; forgotten after the second

  friend bool operator==(const DestinationState&, const DestinationState&) = default;
};

struct ServiceState {
  std::map<ipvs::DestinationKey, DestinationState> destinations{};
  std::optional<Moment> last_write{};
  unsigned absences{};
  unsigned unexplained_cycles{};  ///< in a row: connections opened that no counter shows
  unsigned quiet_cycles{};        ///< in a row: neither a new nor an open connection

  friend bool operator==(const ServiceState&, const ServiceState&) = default;
};

struct ServerState {
  loadcalc::ServerModel model{};
  Moment reading_taken{};      ///< of the reading that was last learned from
  double completed_pending{};  ///< completions since then
  unsigned cycles_pending{};   ///< over so many cycles

  friend bool operator==(const ServerState&, const ServerState&) = default;
};

struct State {
  std::map<ipvs::ServiceKey, ServiceState> services{};
  std::map<ipvs::IpAddress, ServerState> servers{};
  std::uint64_t cycle{};

  friend bool operator==(const State&, const State&) = default;
};

/// What was decided for a destination, as one word. docs/OPERATIONS.md explains each.
enum class Outcome {
  change,           ///< a new weight is in the plan
  unchanged,        ///< the target is the weight that is there
  within_boundary,  ///< the target is too near to be worth a write
  waiting,          ///< min_write_interval has not passed
  drained,          ///< kernel weight 0: hands off
  no_reading,       ///< never heard of its agent: held
  silent_hold,      ///< no reading in time: held
  silent_base,      ///< silent for longer: on the way back to its base
  saturated_cut,    ///< silent with connections piling up: cut towards the floor
  unknown_reading,  ///< the agent answers, but C or M is unknown: held
  frozen,           ///< more than half of the pool is silent: nothing is written
  foreign,          ///< somebody else changed the weight: seen, adopted
  counters_frozen,  ///< the kernel's estimation is off: held
  alone,            ///< nobody to compare with
  unmanaged,        ///< not in the services list
  weights_ignored,  ///< the scheduler does not read weights as shares
};
std::string_view string_from_outcome(Outcome outcome);

enum class ReadingState { fresh, stale, silent, none };
std::string_view string_from_reading_state(ReadingState state);

/// Every number that led to the decision about one destination.
struct Verdict {
  ipvs::ServiceKey service{};
  ipvs::DestinationKey destination{};
  std::string scheduler{};
  std::string server{};  ///< agent's name
  ipvs::ForwardingMethod forwarding{};
  std::uint32_t base{}, current{};
  std::optional<std::uint32_t> target{};  ///< quantised; empty when no strategy ran
  std::optional<std::uint32_t> write{};   ///< what goes to the kernel; empty: nothing
  double boundary{};                      ///< B in weight units
  ReadingState reading{ReadingState::none};
  std::optional<double> age_s{};
  std::optional<double> cpu_busy{}, mem_available{};  ///< C, M
  std::optional<double> composite{};                  ///< F
  loadcalc::FurtherMeasures further{};
  double input{1.0};                ///< INPUT
  std::uint64_t new_connections{};  ///< N of this cycle
  double completed{};               ///< D of this cycle
  std::uint32_t active{}, inactive{};
  double capacity{}, correction{1.0};  ///< strategy `capacity`
  Outcome outcome{Outcome::unchanged};
  std::string reason{};  ///< one sentence for people

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

struct WeightChange {
  ipvs::DestinationKey destination{};
  std::uint32_t from{}, to{};
  std::string reason{};

  friend bool operator==(const WeightChange&, const WeightChange&) = default;
};

/// All changes of one service; they are written together.
struct ServicePlan {
  ipvs::ServiceKey service{};
  std::vector<WeightChange> changes{};

  friend bool operator==(const ServicePlan&, const ServicePlan&) = default;
};
using Plan = std::vector<ServicePlan>;

struct Decision {
  State next{};
  Plan plan{};
  std::vector<Verdict> verdicts{};
  std::size_t foreign_edits{};  ///< weights that somebody else changed since the last cycle
};

/// What became of one planned change.
struct Applied {
  enum class Result {
    written,            ///< and read back as written
    dry_run,            ///< not written on purpose
    changed_meanwhile,  ///< the weight was no longer `from`: dropped
    gone,               ///< service or destination vanished
    failed,             ///< see error
    overwritten,        ///< written, but read back as something else: a foreign writer
  };
  ipvs::ServiceKey service{};
  WeightChange change{};
  Result result{Result::written};
  std::string error{};

  friend bool operator==(const Applied&, const Applied&) = default;
};
std::string_view string_from_result(Applied::Result result);

}  // namespace lvs::monitord
