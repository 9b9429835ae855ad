#include "monitord/decide.hpp"

#include <algorithm>

#include "monitord/learning.hpp"
#include "monitord/pool_decision.hpp"
#include "monitord/tracking.hpp"

namespace lvs::monitord {
namespace {

ServicePlan plan_from_verdicts(const ipvs::ServiceKey& key, const std::vector<Verdict>& verdicts) {
  ServicePlan plan{key, {}};
  for (auto const& verdict : verdicts) {
    if (!verdict.write) continue;
    plan.changes.push_back({verdict.destination, verdict.current, *verdict.write, verdict.reason});
  }
  return plan;
}

/// The measure of "piling up" is taken while a server still answers.
void remember_fresh_activity(State& next, const std::vector<Verdict>& verdicts) {
  for (auto const& verdict : verdicts) {
    if (verdict.reading != ReadingState::fresh) continue;
    next.services.at(verdict.service).destinations.at(verdict.destination).active_when_fresh =
        verdict.active;
  }
}

}  // namespace

Decision decide(const State& state, const Observations& seen, const Config& config) {
  auto tracking = tracked(state, seen, config);
  learn(tracking.next, tracking.services, seen, config);
  Decision decision;
  decision.foreign_edits = foreign_edits(tracking, config);
  for (auto const& [key, sighting] : tracking.services) {
    auto verdicts = pool_verdicts(sighting, tracking.next, seen, config);
    remember_fresh_activity(tracking.next, verdicts);
    auto plan = plan_from_verdicts(key, verdicts);
    if (!plan.changes.empty()) decision.plan.push_back(std::move(plan));
    std::ranges::move(verdicts, std::back_inserter(decision.verdicts));
  }
  decision.next = std::move(tracking.next);
  return decision;
}

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
        destination.last_weight = done.change.to;
        service->second.last_write = now;
        break;
      case Applied::Result::failed:  // the kernel may have carried it out: either value is ours
        destination.intended = done.change.to;
        break;
      case Applied::Result::dry_run:
      case Applied::Result::changed_meanwhile:
      case Applied::Result::gone:
        break;
    }
  }
  return state;
}

}  // namespace lvs::monitord
