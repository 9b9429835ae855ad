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
#include "loadcalc/strategy.hpp"
#include "monitord/orders.hpp"
#include "monitord/reading.hpp"
#include "monitord/strategy_kind.hpp"

namespace lvs::monitord {

/// Mean response time of each probed destination over the last interval, seconds.
using ResponseTimes = std::map<std::pair<ipvs::ServiceKey, ipvs::DestinationKey>, double>;

/// Everything that one cycle has seen.
struct Observations {
  Moment now{};
  std::vector<ipvs::ServiceEntry> table{};
  Readings readings{};
  ResponseTimes responses{};
  /// The kernel says that it renews its counters: connections that they do not show came from
  /// another director (ip_vs_sync.c). False: not known.
  bool counters_run{};

  friend bool operator==(const Observations&, const Observations&) = default;
};

/// What a strategy wanted for a destination before the integers and the boundary, so that steps
/// which were too small to be written add up. Forgotten in a cycle in which it is not steered.
struct Wished {
  StrategyKind by{};  ///< another strategy starts anew
  double weight{};    ///< on the scale of its targets, > 0

  friend bool operator==(const Wished&, const Wished&) = default;
};

/// Why monitord itself set a weight of 0.
enum class ZeroCause {
  hand,     ///< `monitorctl drain`
  silence,  ///< `on_silence: drain`
  agent,    ///< `agent_drain: true`, and the agent asks for it
};
std::string_view string_from_zero_cause(ZeroCause cause);

/// What is remembered about a destination. `base` never drifts: configured, or the kernel weight
/// at first sight (never 0), or what a foreign writer set.
struct DestinationState {
  std::uint32_t base{};  ///< 0: not yet known (first seen at weight 0)
  bool base_configured{};
  std::uint32_t last_weight{};  ///< the kernel's weight when last seen, or what we wrote since
  /// A write of ours whose outcome is not known (killed or timed out around it): seeing this
  /// weight is not a foreign write.
  std::optional<std::uint32_t> intended{};
  /// The 0 that is there, or was to be written, is monitord's own: whoever else writes a weight
  /// ends that. A 0 without it belongs to somebody else and is never written (law 1).
  std::optional<ZeroCause> own_zero{};
  /// A person ended a 0 that an agent or its silence was the reason for: not set again until that
  /// reason has ended as well.
  bool zero_overridden{};
  /// `foreign: reassert`: the weight to be put back, and when that was last done.
  std::optional<std::uint32_t> reassert{};
  std::optional<Moment> reasserted_at{};
  std::uint64_t connections{};  ///< kernel total at the last cycle
  std::uint64_t in_packets{};   ///< likewise
  std::uint32_t active{}, inactive{};
  std::uint32_t active_when_fresh{};  ///< active connections when its reading was last fresh
  Moment first_seen{};
  std::optional<Moment> cut_at{};  ///< when it was last cut because it drowned
  /// When it joined a pool that was known before, or came back from weight 0; empty: it was there
  /// from the start.
  std::optional<Moment> admitted{};
  unsigned absences{};  ///< dumps in a row without it; forgotten after the second
  std::optional<Wished> wished{};

  friend bool operator==(const DestinationState&, const DestinationState&) = default;
};

struct ServiceState {
  std::map<ipvs::DestinationKey, DestinationState> destinations{};
  std::optional<Moment> last_write{};
  double arrivals{};        ///< new connections per cycle over all destinations, smoothed
  double ratio_exponent{};  ///< strategy `capacity`, see loadcalc::learned_exponent()
  unsigned absences{};
  unsigned unexplained_cycles{};           ///< in a row: connections opened that no counter shows
  std::optional<Moment> counters_moved{};  ///< when one did last; at first the first sight
  /// Connections open that no counter shows: the kernel's estimation is switched off
  /// (net.ipv4.vs.run_estimation = 0), and what is new or completed means nothing.
  bool counters_frozen{};
  unsigned idle_cycles{};           ///< in a row: nobody had anything to do
  unsigned quiet_cycles{};          ///< in a row: neither a new connection nor a packet
  std::optional<Moment> carried{};  ///< when it last was not quiet; at first the first sight
  bool standby{};                   ///< nothing comes through this director
  /// Since its last cycle on standby; empty: it was on none.
  std::optional<unsigned> cycles_since_standby{};

  friend bool operator==(const ServiceState&, const ServiceState&) = default;
};

struct ServerState {
  loadcalc::ServerModel model{};
  Moment reading_taken{};              ///< of the reading that was last taken in
  std::optional<Moment> learned_at{};  ///< when its work was last learned from, here or elsewhere
  double completed_pending{};          ///< completions since then
  unsigned cycles_pending{};           ///< over so many cycles

  friend bool operator==(const ServerState&, const ServerState&) = default;
};

struct State {
  std::map<ipvs::ServiceKey, ServiceState> services{};
  std::map<ipvs::IpAddress, ServerState> servers{};
  Orders orders{};
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
  standby,          ///< nothing comes through this director: it serves nobody, weights kept
  reasserted,       ///< somebody else changed the weight, and it is put back
  paused,           ///< by hand: nothing is written
  restoring,        ///< by hand: the base is put back
  pinned,           ///< by hand: the weight stays as told
  hand_drain,       ///< by hand: a 0 of monitord's own
  silent_drain,     ///< silent for long: a 0 of monitord's own
  agent_drain,      ///< its agent asks for it: a 0 of monitord's own
  undrain,          ///< the reason for a 0 of monitord's own is gone: it is undone
};
std::string_view string_from_outcome(Outcome outcome);
/// Outside of what monitord steers: its agent is not asked, and its silence says nothing.
constexpr bool is_left_alone(Outcome outcome) {
  return outcome == Outcome::unmanaged || outcome == Outcome::weights_ignored;
}

enum class ReadingState { fresh, stale, silent, none };
std::string_view string_from_reading_state(ReadingState state);

/// Every number that led to the decision about one destination.
struct Verdict {
  ipvs::ServiceKey service{};
  ipvs::DestinationKey destination{};
  std::string scheduler{};
  std::string server{};          ///< agent's name
  std::uint32_t persistent_s{};  ///< timeout of the service's persistence; 0: it is not persistent
  StrategyKind strategy{};
  ipvs::ForwardingMethod forwarding{};
  std::uint32_t base{}, current{};
  std::optional<std::uint32_t> target{};  ///< quantised; empty when no strategy ran
  std::optional<std::uint32_t> write{};   ///< what goes to the kernel; empty: nothing
  double boundary{};                      ///< B in weight units
  bool asks_drain{};                      ///< what its agent said last
  std::optional<ZeroCause> own_zero{};    ///< why monitord itself keeps it at 0, or sets it to 0
  ReadingState reading{ReadingState::none};
  std::optional<double> age_s{};
  std::optional<double> cpu_busy{}, mem_available{};  ///< C, M
  std::optional<double> composite{};                  ///< F
  loadcalc::FurtherMeasures further{};
  double input{1.0};                ///< INPUT
  std::uint64_t new_connections{};  ///< N of this cycle
  double completed{};               ///< D of this cycle
  std::uint32_t active{}, inactive{};
  double capacity{}, correction{1.0};   ///< strategy `capacity`
  std::optional<double> score{};        ///< the strategy's own figure: AGG, load, remaining load
  std::vector<loadcalc::Term> terms{};  ///< what it is made of
  // The target on its way to an integer; `wish` and `eased` on the strategy's own scale.
  std::optional<double> wish{};    ///< what the strategy made of it
  std::optional<double> eased{};   ///< after relief, slow start and the return of an idle pool
  std::optional<double> scaled{};  ///< on the scale of the current weights, within one step
  std::string note{};              ///< of the strategy, e.g. "saturated: cut"
  std::string pool_note{};         ///< of the strategy about the whole pool
  double ratio_exponent{};         ///< strategy `capacity`; 0: none
  Outcome outcome{Outcome::unchanged};
  std::string reason{};  ///< in other words than reason_of() finds in the numbers; mostly empty

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

struct WeightChange {
  ipvs::DestinationKey destination{};
  std::uint32_t from{}, to{};
  std::string reason{};
  std::optional<ZeroCause> zero{};  ///< with `to` 0

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
  std::size_t foreign_edits{};       ///< weights that somebody else changed since the last cycle
  std::vector<std::string> notes{};  ///< about whole pools, for people
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
    unrecorded,         ///< a 0 that could not be written down first: not set
  };
  ipvs::ServiceKey service{};
  WeightChange change{};
  Result result{Result::written};
  std::string error{};
  bool perhaps_done{};  ///< failed, and the kernel may have carried it out all the same

  friend bool operator==(const Applied&, const Applied&) = default;
};
std::string_view string_from_result(Applied::Result result);

}  // namespace lvs::monitord
