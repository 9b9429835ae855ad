#include "monitord/controller.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "monitord/apply.hpp"
#include "monitord/decide.hpp"
#include "monitord/leaving.hpp"
#include "monitord/left_zeros.hpp"
#include "monitord/postponed_zeros.hpp"
#include "monitord/record_grid.hpp"

namespace lvs::monitord {
namespace {

/// Lessons change with every reading; a crash may cost this much of them. With thousands of servers
/// it is longer: a line takes some 400 bytes.
Moment between_lessons(const State& state) {
  constexpr Moment least = std::chrono::seconds{30};
  constexpr Moment per_server = std::chrono::milliseconds{30};
  return std::max(least, static_cast<Moment::rep>(state.servers.size()) * per_server);
}

constexpr std::uint64_t dumps_to_forget = 2;  ///< as while running: one dump may lack a destination

}  // namespace

Controller::Controller(Config config, ipvs::Table& table, StateJournal* journal, Memory memory)
    : config_(std::move(config)), table_(table), journal_(journal), memory_(std::move(memory)) {
  state_.orders = std::exchange(memory_.orders, {});
}

CycleReport Controller::cycle(Moment now, const Readings& readings,
                              const ResponseTimes& responses) {
  CycleReport report;
  report.cycle = ++cycles_;
  report.now = now;
  report.interval = config_.interval;
  report.dry_run = config_.dry_run;

  auto table = table_.services();
  if (table) {
    table_error_.reset();
    seen_.table = *std::move(table);
    decide_and_apply(report, readings, responses);
  } else {
    // No plan, and the state stays as it is: what cannot be read has not changed.
    table_error_ = std::move(table.error());
    report.degraded = table_error_->message;
  }
  report.orders = state_.orders;
  count(report);
  report.writes = writes_;
  report.failed_writes = failed_writes_;
  report.suppressed = suppressed_;
  report.foreign_edits = foreign_edits_;
  return report;
}

/// In place: what was there for the last cycle is used again, since most of it is the same.
void Controller::observe(Moment now, const Readings& readings, const ResponseTimes& responses) {
  seen_.now = now;
  seen_.readings = readings;
  put_on_record_grid(seen_.readings);
  seen_.responses = responses;
  put_on_record_grid(seen_.responses);
  seen_.counters_run = counters_run_;
}

void Controller::decide_and_apply(CycleReport& report, const Readings& readings,
                                  const ResponseTimes& responses) {
  set_pin_ends(state_.orders, report.now, wall_time_);
  restore_seen(state_, memory_.destinations, seen_.table);
  if (++dumps_ == dumps_to_forget) forget_zeros_of_absent(memory_.destinations);
  take_learned(state_, memory_.learned, seen_.table, report.now, wall_time_);
  observe(report.now, readings, responses);
  auto decision = decide(std::move(state_), seen_, config_);
  state_ = std::move(decision.next);
  foreign_edits_ += decision.foreign_edits;
  remember_lessons(report.now);
  // Bases first: an intent says nothing without the base that it must not replace.
  remember();
  report.applied = config_.dry_run ? applied_dry(decision.plan) : written(decision.plan);
  state_ = state_after_apply(std::move(state_), report.applied, report.now);
  if (!report.applied.empty()) remember();
  if (cycle_sink_) cycle_sink_(seen_, state_, report.applied);
  report.verdicts = std::move(decision.verdicts);
  report.notes = std::move(decision.notes);
  if (auto note = tell_postponed(report.verdicts, report.applied)) {
    report.notes.push_back(*std::move(note));
  }
  if (config_.dry_run) {
    std::ranges::move(left_zeros(), std::back_inserter(report.notes));
  }
}

std::vector<std::string> Controller::let_go_zeros() const {
  return monitord::let_go_zeros(state_, seen_.table, config_);
}

std::vector<std::string> Controller::left_zeros() const {
  return monitord::left_zeros(state_, seen_.table, config_);
}

std::vector<Applied> Controller::written(const Plan& plan) {
  const auto intent = [this](const ipvs::ServiceKey& service,
                             std::span<const WeightChange> changes) {
    if (journal_ == nullptr) return false;
    std::vector<Intent> intents;
    for (const auto& change : changes)
      intents.push_back({{service, change.destination}, change.to, change.zero});
    return journal_->intend(intents);
  };
  return apply(plan, table_, intent);
}

void Controller::forget_in_memory(const Order& order) {
  if (order.destination) {
    memory_.learned.servers.erase(order.destination->address);
  } else {
    memory_.learned = {};
  }
}

tl::expected<std::string, ControlError> Controller::take(const Order& order, Moment now) {
  auto answer = take_order(state_, order, {seen_.table, config_, now, wall_time_});
  if (!answer) return answer;
  // A lesson that was forgotten must not come back from what was written down.
  if (order.kind == Order::Kind::forget) {
    forget_in_memory(order);
    lessons_at_.reset();
    remember_lessons(now);
  }
  remember();
  if (journal_ != nullptr && !journal_->problem().empty()) {
    *answer += "; this is not written down and ends with monitord: " + journal_->problem();
  }
  return answer;
}

Memory Controller::memory(Moment now) const {
  auto memory = memory_;
  memory.destinations.merge(remembered_from_state(state_));
  memory.learned = learned_from_state(state_, now, wall_time_);
  memory.orders = state_.orders;
  return memory;
}

std::size_t Controller::take(Learned learned, Moment now) {
  const auto taken = take_learned(state_, learned, seen_.table, now, wall_time_);
  lessons_at_.reset();
  remember_lessons(now);
  remember();
  return taken;
}

std::vector<Applied> Controller::leave() {
  if (config_.dry_run) return {};
  auto table = table_.services();
  if (!table) return {};
  seen_.table = *std::move(table);
  auto applied = written(leaving_plan(state_, seen_.table, config_));
  state_ = state_after_apply(std::move(state_), applied, {});
  remember();
  return applied;
}

void Controller::remember_lessons(Moment now) {
  if (lessons_at_ && now - *lessons_at_ < between_lessons(state_)) return;
  lessons_ = learned_from_state(state_, now, wall_time_);
  lessons_at_ = now;
  lessons_are_new_ = true;
}

void Controller::remember() {
  if (journal_ == nullptr) return;
  auto destinations = remembered_from_state(state_);
  destinations.insert(memory_.destinations.begin(), memory_.destinations.end());
  if (!lessons_are_new_) return journal_->record(std::move(destinations), state_.orders);
  Memory now;
  now.destinations = std::move(destinations);
  now.learned = lessons_;
  now.learned.servers.insert(memory_.learned.servers.begin(), memory_.learned.servers.end());
  now.learned.ratio_exponents.insert(memory_.learned.ratio_exponents.begin(),
                                     memory_.learned.ratio_exponents.end());
  now.orders = state_.orders;
  journal_->record(std::move(now));
  lessons_are_new_ = !journal_->problem().empty();
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
