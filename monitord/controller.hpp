#pragma once

// One cycle, apart from the timer that starts it: observe, decide, apply, remember, report.
//
// Threading: one thread. Errors: none escape a cycle; what went wrong is in its report.
// Monitoring: the totals of CycleReport.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "ipvs/table.hpp"
#include "monitord/config.hpp"
#include "monitord/decision.hpp"
#include "monitord/order.hpp"
#include "monitord/remembered.hpp"
#include "monitord/report.hpp"
#include "monitord/state_journal.hpp"

namespace lvs::monitord {

/// Told of every cycle that could read the table, after its writes. `state` is the one after them.
using CycleSink = std::function<void(const Observations& seen, const State& state,
                                     std::span<const Applied> applied)>;

class Controller {
 public:
  /// `journal` may be null: then nothing is kept for the next process. `remembered` is what
  /// StateJournal::open() gave.
  Controller(Config config, ipvs::Table& table, StateJournal* journal, Memory memory);

  void set_config(Config config) { config_ = std::move(config); }
  [[nodiscard]] const Config& config() const { return config_; }

  void set_cycle_sink(CycleSink sink) { cycle_sink_ = std::move(sink); }

  /// The report lacks what only the caller knows: wall time, version, polls, probes, notes about
  /// more than pools.
  CycleReport cycle(Moment now, const Readings& readings, const ResponseTimes& responses = {});

  /// Seconds since the epoch, for what is written down: lessons and ends of pins. Nothing is
  /// decided by it within a process.
  void set_wall_time(double seconds) { wall_time_ = seconds; }

  /// See Observations::counters_run; for the next cycles.
  void set_counters_run(bool run) { counters_run_ = run; }

  /// Carries out what a person ordered; the next cycle writes what follows from it.
  tl::expected<std::string, ControlError> take(const Order& order, Moment now);

  /// Everything that is remembered, as of now: `monitorctl state export`.
  [[nodiscard]] Memory memory(Moment now) const;
  /// Takes over what another monitord learned; of how many servers.
  std::size_t take(Learned learned, Moment now);

  /// The last writes, see leaving_plan().
  std::vector<Applied> leave();

  /// After set_config(): what becomes of monitord's own zeros that it does not steer any more.
  [[nodiscard]] std::vector<std::string> let_go_zeros() const;
  /// Those of monitord's own zeros that stay after leave().
  [[nodiscard]] std::vector<std::string> left_zeros() const;

  [[nodiscard]] const Orders& orders() const { return state_.orders; }

  /// The table of the last cycle that could read it.
  [[nodiscard]] const std::vector<ipvs::ServiceEntry>& last_table() const { return seen_.table; }
  /// Why the last cycle could not read the table.
  [[nodiscard]] const std::optional<ipvs::Error>& table_error() const { return table_error_; }

 private:
  void observe(Moment now, const Readings& readings, const ResponseTimes& responses);
  void decide_and_apply(CycleReport& report, const Readings& readings,
                        const ResponseTimes& responses);
  std::vector<Applied> written(const Plan& plan);
  void forget_in_memory(const Order& order);
  void remember();
  void remember_lessons(Moment now);
  void count(const CycleReport& report);

  Config config_;
  ipvs::Table& table_;
  StateJournal* journal_;
  CycleSink cycle_sink_{};
  std::uint64_t dumps_{};       ///< readable ones
  Memory memory_;               ///< of an earlier process: what is not yet seen in the table
  Learned lessons_{};           ///< as they are written down
  bool lessons_are_new_{true};  ///< and are not yet
  State state_{};
  double wall_time_{};
  bool counters_run_{};
  std::optional<Moment> lessons_at_{};  ///< when lessons were last written down
  Observations seen_{};                 ///< of the last cycle that could read the table
  std::optional<ipvs::Error> table_error_{};
  std::uint64_t cycles_{};
  std::uint64_t writes_{};
  std::uint64_t failed_writes_{};
  std::uint64_t suppressed_{};
  std::uint64_t foreign_edits_{};
};

}  // namespace lvs::monitord
