#include "monitorctl/advice_simulation.hpp"

#include <utility>

#include "clustersim/simulation.hpp"
#include "monitorctl/advice_rules.hpp"
#include "monitorctl/advice_scenario.hpp"
#include "monitorctl/parallel.hpp"
#include "monitord/config.hpp"

namespace lvs::monitorctl {
namespace {

constexpr std::size_t seeds = 3;

/// Times as they would be without the slowing down.
clustersim::Figures at_full_speed(clustersim::Figures figures, double slowed) {
  for (const auto time : {&clustersim::Figures::mean_ms, &clustersim::Figures::p50_ms,
                          &clustersim::Figures::p95_ms, &clustersim::Figures::p99_ms})
    figures.*time /= slowed;
  return figures;
}

}  // namespace

tl::expected<AdviceSimulation, std::string> simulated(const ServiceFacts& facts,
                                                      const std::vector<Finding>& findings,
                                                      unsigned jobs,
                                                      const AdviceProgress& progress) {
  const auto planned = scenario_from(facts);
  if (!planned) return tl::make_unexpected(planned.error());
  auto tried = proposals_of(facts, findings);
  if (tried.empty()) {
    return tl::make_unexpected(
        std::string("it is sed with equal weights already, what others are compared with"));
  }
  tried.insert(tried.begin(), simulated_now(facts));
  const auto count = tried.size() * seeds;
  std::vector<clustersim::Figures> figures(count);
  const monitord::Config unsteered;
  const auto work = [&](std::size_t i) {
    const auto scenario = scenario_of(*planned, tried[i / seeds]);
    const auto seed = i % seeds + 1;
    const auto run = clustersim::simulate(scenario, scenario.scheduler, "static", seed, unsteered);
    figures[i] = clustersim::figures_of(run);
  };
  for_each_parallel(count, jobs, work, [&](std::size_t finished) { progress(finished, count); });
  const auto& scenario = planned->scenario;
  AdviceSimulation simulation{{},
                              planned->assumed,
                              planned->load,
                              *scenario.arrivals_per_s * planned->slowed,
                              scenario.duration_s - scenario.warmup_s,
                              seeds};
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const auto first = figures.begin() + static_cast<std::ptrdiff_t>(i * seeds);
    const auto medians =
        clustersim::medians_of({first, first + static_cast<std::ptrdiff_t>(seeds)});
    simulation.rows.push_back({tried[i], at_full_speed(medians, planned->slowed)});
  }
  return simulation;
}

Advice advice_on(const ServiceFacts& facts, unsigned jobs, const AdviceProgress& progress) {
  Advice advice{facts, findings_of(facts), {}, {}};
  auto simulation = simulated(facts, advice.findings, jobs, progress);
  if (simulation) {
    advice.simulation = std::move(*simulation);
  } else {
    advice.not_simulated = simulation.error();
  }
  judge(advice);
  return advice;
}

Advice advice_without_simulation(const ServiceFacts& facts) {
  return {facts, findings_of(facts), {}, {}};
}

}  // namespace lvs::monitorctl
