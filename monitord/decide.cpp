#include "monitord/decide.hpp"

#include <algorithm>
#include <utility>

#include "monitord/learning.hpp"
#include "monitord/pool_decision.hpp"
#include "monitord/reasons.hpp"
#include "monitord/standing_orders.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {
namespace {

std::size_t destinations_of(std::span<const ipvs::ServiceEntry> table) {
  std::size_t count = 0;
  for (auto const& entry : table)
    count += entry.destinations.size();
  return count;
}

ServicePlan plan_from_verdicts(const ipvs::ServiceKey& key, const std::vector<Verdict>& verdicts) {
  ServicePlan plan{key, {}};
  for (auto const& verdict : verdicts) {
    if (!verdict.write) continue;
    auto const zero = *verdict.write == 0 ? verdict.own_zero : std::nullopt;
    plan.changes.push_back(
        {verdict.destination, verdict.current, *verdict.write, reason_of(verdict), zero});
  }
  return plan;
}

/// What the next cycle has to know of this one's verdicts. The measure of "piling up" is taken
/// while a server still answers and is not cut; a wish lives for one cycle.
void remember_verdicts(State& next, const std::vector<Verdict>& verdicts, Moment now) {
  for (auto const& verdict : verdicts) {
    auto& service = next.services.at(verdict.service);
    auto& destination = service.destinations.at(verdict.destination);
    if (verdict.ratio_exponent > 0.0) service.ratio_exponent = verdict.ratio_exponent;
    if (verdict.outcome == Outcome::saturated_cut) destination.cut_at = now;
    if (verdict.outcome == Outcome::reasserted) destination.reasserted_at = now;
    bool const usual = verdict.reading == ReadingState::fresh &&
                       verdict.outcome != Outcome::frozen &&
                       verdict.outcome != Outcome::saturated_cut;
    if (verdict.reading == ReadingState::fresh && !verdict.asks_drain) {
      destination.zero_overridden = false;
    }
    if (usual) destination.active_when_fresh = verdict.active;
    destination.wished.reset();
    if (verdict.wish) destination.wished = Wished{verdict.strategy, *verdict.wish};
  }
}

/// What the strategy says about the pool, once for all its members.
void add_pool_note(Decision& decision, const std::vector<Verdict>& verdicts) {
  auto const telling = std::ranges::find_if(
      verdicts, [](const Verdict& verdict) { return !verdict.pool_note.empty(); });
  if (telling == verdicts.end()) return;
  decision.notes.push_back(ipvs::string_from_service_key(telling->service) + ": " +
                           telling->pool_note);
}

}  // namespace

Decision decide(State state, const Observations& seen, const Config& config) {
  auto tracking = tracked(std::move(state), seen, config);
  auto ended = end_orders(tracking, seen.now, config);
  learn(tracking.next, tracking.services, seen, config);
  Decision decision;
  decision.notes = std::move(ended);
  decision.foreign_edits = foreign_edits(tracking, config);
  decision.verdicts.reserve(destinations_of(seen.table));
  for (auto const& [key, sighting] : tracking.services) {
    auto verdicts = pool_verdicts(sighting, tracking.next, seen, config);
    remember_verdicts(tracking.next, verdicts, seen.now);
    add_pool_note(decision, verdicts);
    auto plan = plan_from_verdicts(key, verdicts);
    if (!plan.changes.empty()) decision.plan.push_back(std::move(plan));
    std::ranges::move(verdicts, std::back_inserter(decision.verdicts));
  }
  decision.next = std::move(tracking.next);
  return decision;
}

namespace {

/// What a write of ours leaves behind, whether or not the kernel has carried it out.
void remember_intent(DestinationState& destination, const WeightChange& change) {
  if (change.to == 0) destination.own_zero = change.zero;
}

void remember_write(DestinationState& destination, const WeightChange& change, Moment now) {
  destination.last_weight = change.to;
  if (change.to != 0) destination.own_zero.reset();
  if (change.from == 0) destination.admitted = now;
  if (change.to == destination.reassert) destination.reassert.reset();
}

}  // namespace

State state_after_apply(State state, std::span<const Applied> applied, Moment now) {
  for (auto const& done : applied) {
    auto const service = state.services.find(done.service);
    if (service == state.services.end()) continue;
    auto const found = service->second.destinations.find(done.change.destination);
    if (found == service->second.destinations.end()) continue;
    auto& destination = found->second;
    switch (done.result) {
      case Applied::Result::written:
      case Applied::Result::overwritten:  // the next cycle sees the other's value as foreign
        remember_intent(destination, done.change);
        remember_write(destination, done.change, now);
        service->second.last_write = now;
        break;
      case Applied::Result::failed:
        // Refused or never sent: who writes that weight now is somebody else. With the answer lost
        // the kernel may have carried it out, and either value is ours.
        if (!done.perhaps_done) break;
        remember_intent(destination, done.change);
        destination.intended = done.change.to;
        break;
      case Applied::Result::dry_run:
      case Applied::Result::changed_meanwhile:
      case Applied::Result::gone:
      case Applied::Result::unrecorded:
        break;
    }
  }
  return state;
}

}  // namespace lvs::monitord
