#include "monitord/controller.hpp"

#include <span>
#include <utility>
#include <vector>

#include "monitord/apply.hpp"
#include "monitord/decide.hpp"
#include "monitord/record_grid.hpp"

namespace lvs::monitord {

Controller::Controller(Config config, ipvs::Table& table, StateJournal* journal,
                       Remembered remembered)
    : config_(std::move(config)),
      table_(table),
      journal_(journal),
      remembered_(std::move(remembered)) {}

CycleReport Controller::cycle(Moment now, const Readings& readings,
                              const ResponseTimes& responses) {
  CycleReport report;
  report.cycle = ++cycles_;
  report.now = now;
  report.dry_run = config_.dry_run;

  auto table = table_.services();
  if (table) {
    table_error_.reset();
    last_table_ = *std::move(table);
    decide_and_apply(report, readings, responses);
  } else {
    // No plan, and the state stays as it is: what cannot be read has not changed.
    table_error_ = std::move(table.error());
    report.degraded = table_error_->message;
  }
  count(report);
  report.writes = writes_;
  report.failed_writes = failed_writes_;
  report.suppressed = suppressed_;
  report.foreign_edits = foreign_edits_;
  return report;
}

void Controller::decide_and_apply(CycleReport& report, const Readings& readings,
                                  const ResponseTimes& responses) {
  restore_seen(state_, remembered_, last_table_);
  const Observations seen{report.now, last_table_, on_record_grid(readings),
                          on_record_grid(responses)};
  auto decision = decide(state_, seen, config_);
  state_ = std::move(decision.next);
  foreign_edits_ += decision.foreign_edits;
  // Bases first: an intent says nothing without the base that it must not replace.
  remember();
  const auto intent = [this](const ipvs::ServiceKey& service,
                             std::span<const WeightChange> changes) {
    if (journal_ == nullptr) return;
    std::vector<Intent> intents;
    for (const auto& change : changes)
      intents.push_back({{service, change.destination}, change.to});
    journal_->intend(intents);
  };
  report.applied =
      config_.dry_run ? applied_dry(decision.plan) : apply(decision.plan, table_, intent);
  state_ = state_after_apply(std::move(state_), report.applied, report.now);
  if (!report.applied.empty()) remember();
  if (cycle_sink_) cycle_sink_(seen, state_, report.applied);
  report.verdicts = std::move(decision.verdicts);
  report.notes = std::move(decision.notes);
}

void Controller::remember() {
  if (journal_ == nullptr) return;
  auto now = remembered_from_state(state_);
  now.insert(remembered_.begin(), remembered_.end());
  journal_->record(now);
}

void Controller::count(const CycleReport& report) {
  for (const auto& applied : report.applied) {
    // What stands there instead of an overwritten weight, the next cycle sees as foreign.
    bool const was_written = applied.result == Applied::Result::written ||
                             applied.result == Applied::Result::overwritten;
    if (was_written) ++writes_;
    bool const was_refused =
        applied.result == Applied::Result::failed || applied.result == Applied::Result::gone;
    if (was_refused) ++failed_writes_;
  }
  for (const auto& verdict : report.verdicts) {
    if (verdict.outcome == Outcome::within_boundary || verdict.outcome == Outcome::waiting) {
      ++suppressed_;
    }
  }
}

}  // namespace lvs::monitord
