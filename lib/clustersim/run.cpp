#include "clustersim/run.hpp"

#include <algorithm>

#include "clustersim/director.hpp"
#include "clustersim/incidents.hpp"
#include "clustersim/plant.hpp"
#include "clustersim/tally.hpp"
#include "clustersim/traffic.hpp"
#include "clustersim/workload.hpp"

namespace lvs::clustersim {
namespace {

constexpr double failed_cost_s = 10;

constexpr double patience_step_s = 1;

void give_up(const Timer& timer, double patience_s, Plant& plant, Traffic& traffic) {
  traffic.give_up(timer.at, patience_s);
  plant.timers.set(timer.at + patience_step_s, Timer::Kind::patience);
}

void fire(const Timer& timer, const Scenario& scenario, Plant& plant, Traffic& traffic,
          Director& director, Incidents& incidents) {
  using Kind = Timer::Kind;
  switch (timer.kind) {
    case Kind::event:
      return incidents.happen(timer.at, timer.subject);
    case Kind::ramp:
      return incidents.ramp(timer.at, timer.subject);
    case Kind::health:
      return incidents.check_health(timer.at, timer.subject);
    case Kind::sample:
      return director.sample(timer.at, timer.subject);
    case Kind::question:
      return director.ask(timer.at, timer.subject);
    case Kind::reply:
      return director.take_reply(timer.subject);
    case Kind::estimation:
      return director.refresh_counters(timer.at);
    case Kind::cycle:
      return director.cycle(timer.at);
    case Kind::patience:
      return give_up(timer, scenario.patience_s, plant, traffic);
    case Kind::think:
      return traffic.think_over(timer.at, timer.subject);
  }
}

double cost_ms(const RunResult& result, double latency_sum_s) {
  auto const count = static_cast<double>(result.arrived);
  auto const failed = failed_cost_s * static_cast<double>(result.failed);
  return count > 0 ? 1000 * (latency_sum_s + failed) / count : 0;
}

}  // namespace

RunOutcome run(const Scenario& scenario, const RunSettings& settings, WeightPolicy& policy) {
  Workload const workload(scenario);
  Plant plant(scenario, settings.scheduler, settings.shortest_queue, workload.clients());
  Tally tally(scenario, plant);
  Traffic traffic(scenario, settings.seed, workload, plant, tally);
  Director director(scenario, settings.seed, settings.deadline_s, plant, tally, policy);
  Incidents incidents(scenario, plant, traffic, director);
  incidents.start();
  director.start();
  plant.timers.set(patience_step_s, Timer::Kind::patience);
  while (true) {
    auto const arrival = traffic.next_arrival();
    auto const completion = plant.completions.time();
    auto const timer = plant.timers.next();
    if (std::min({arrival, completion, timer}) > scenario.duration_s) break;
    if (completion <= arrival && completion <= timer) {
      traffic.complete();
    } else if (arrival <= timer) {
      traffic.arrive();
    } else {
      fire(plant.timers.pop(), scenario, plant, traffic, director, incidents);
    }
  }
  tally.cut_short(traffic.unfinished_ages(scenario.duration_s, scenario.warmup_s));
  RunOutcome outcome;
  outcome.result = tally.result(scenario, plant);
  outcome.cost_ms = cost_ms(outcome.result, tally.latencies().sum());
  return outcome;
}

}  // namespace lvs::clustersim
