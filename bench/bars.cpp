#include "bench/bars.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace lvs::bench {

using clustersim::Figures;
using clustersim::Summary;

namespace {

constexpr std::string_view measured = "capacity";
constexpr std::array<std::string_view, 3> schedulers{"wrr", "wlc", "sed"};

using Figure = double Figures::*;

/// Finds results by name.
class Results {
 public:
  explicit Results(const std::vector<Summary>& summaries) {
    for (const Summary& one : summaries)
      found_[{one.scenario, one.scheduler, one.strategy}] = one.medians;
  }

  [[nodiscard]] const Figures* find(std::string_view scenario, std::string_view scheduler,
                                    std::string_view strategy) const {
    const auto place =
        found_.find({std::string{scenario}, std::string{scheduler}, std::string{strategy}});
    return place == found_.end() ? nullptr : &place->second;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, Figures> found_{};
};

/// A run in which nothing ended has no latency.
bool is_usable(const Figures* figures) {
  return figures != nullptr && figures->mean_ms > 0 && figures->p99_ms > 0;
}

std::optional<double> ratio(const Figures* one, const Figures* other, Figure figure) {
  if (!is_usable(one) || !is_usable(other)) return std::nullopt;
  return one->*figure / other->*figure;
}

bool always(const Traits& /*traits*/) {
  return true;
}
bool is_stationary(const Traits& traits) {
  return traits.stationary;
}
bool is_stationary_and_unequal(const Traits& traits) {
  return traits.stationary && traits.unequal;
}
bool is_disturbed(const Traits& traits) {
  return traits.disturbed;
}

/// Limits on mean and p99 latency over a rival's.
struct Rivalry {
  std::string_view rival;
  bool (*applies)(const Traits&);
  bool wrr, wlc, sed;
  double mean, p99;
  bool below;
  std::string_view note;
};

constexpr std::array rivalries{
    Rivalry{"equal", always, true, true, true, 1.03, 1.08, false, ""},
    Rivalry{"best-static", is_stationary, true, true, true, 1.10, 1.15, false, " (stationary)"},
    Rivalry{"clairvoyant", is_stationary_and_unequal, true, false, false, 1.05, 1.10, false,
            " (stationary, unequal)"},
    Rivalry{"best-static", is_disturbed, true, true, true, 1, 1, true, " (disturbed)"},
    Rivalry{"jsq", is_disturbed, false, true, true, 1.20, 1.30, false, " (disturbed)"},
};

bool is_under(const Rivalry& rivalry, std::string_view scheduler) {
  return (scheduler == "wrr" && rivalry.wrr) || (scheduler == "wlc" && rivalry.wlc) ||
         (scheduler == "sed" && rivalry.sed);
}

void add_rivalry(std::vector<Check>& checks, const Rivalry& rivalry, Figure figure,
                 const Results& results, const ScenarioTraits& scenarios) {
  const bool is_mean = figure == &Figures::mean_ms;
  const auto bar =
      std::string{is_mean ? "mean / " : "p99 / "}.append(rivalry.rival).append(rivalry.note);
  for (const auto& [scenario, traits] : scenarios) {
    if (!rivalry.applies(traits)) continue;
    for (const auto scheduler : schedulers) {
      if (!is_under(rivalry, scheduler)) continue;
      const auto value = ratio(results.find(scenario, scheduler, measured),
                               results.find(scenario, scheduler, rivalry.rival), figure);
      checks.push_back({bar, scenario, std::string{scheduler}, value,
                        is_mean ? rivalry.mean : rivalry.p99, rivalry.below});
    }
  }
}

/// Sums over all scenarios; one that is missing on either side makes the comparison worthless.
void add_sum(std::vector<Check>& checks, Figure figure, const Results& results,
             const ScenarioTraits& scenarios) {
  constexpr std::string_view rival = "qps-over-utilisation";
  for (const auto scheduler : schedulers) {
    double ours = 0;
    double theirs = 0;
    bool complete = !scenarios.empty();
    for (const auto& [scenario, traits] : scenarios) {
      const auto* const one = results.find(scenario, scheduler, measured);
      const auto* const other = results.find(scenario, scheduler, rival);
      complete = complete && is_usable(one) && is_usable(other);
      if (!complete) break;
      ours += one->*figure;
      theirs += other->*figure;
    }
    const bool is_mean = figure == &Figures::mean_ms;
    checks.push_back({std::string{is_mean ? "mean / " : "p99 / "}.append(rival).append(" (sum)"),
                      "all", std::string{scheduler},
                      complete ? std::optional(ours / theirs) : std::nullopt, 1, true});
  }
}

/// What weights or a scheduler that knows everything reach against sed with equal weights.
std::optional<double> best_oracle(const Results& results, const std::string& scenario) {
  std::optional<double> best;
  for (const std::string_view oracle : {"clairvoyant", "best-static", "jsq"}) {
    for (const auto scheduler : schedulers) {
      const auto value = ratio(results.find(scenario, scheduler, oracle),
                               results.find(scenario, "sed", "equal"), &Figures::mean_ms);
      if (value && (!best || *value < *best)) best = value;
    }
  }
  return best;
}

/// The best scheduler with `capacity` against sed with equal weights and no feedback at all.
void add_best_of(std::vector<Check>& checks, const Results& results,
                 const ScenarioTraits& scenarios) {
  constexpr double clearly_ahead = 0.8;
  for (const auto& [scenario, traits] : scenarios) {
    if (!misleads(traits)) continue;
    std::optional<double> best;
    std::string_view best_scheduler = "none";
    for (const auto scheduler : schedulers) {
      const auto value = ratio(results.find(scenario, scheduler, measured),
                               results.find(scenario, "sed", "equal"), &Figures::mean_ms);
      if (!value || (best && *value >= *best)) continue;
      best = value;
      best_scheduler = scheduler;
    }
    checks.push_back({"mean, best scheduler / sed + equal", scenario, std::string{best_scheduler},
                      best, clearly_ahead, false, best_oracle(results, scenario)});
  }
}

double most_writes(const Traits& traits) {
  constexpr double usual = 0.3, with_bursts = 0.5, with_low_traffic = 0.2;
  if (traits.low_traffic) return with_low_traffic;
  return traits.bursts ? with_bursts : usual;
}

void add_figure(std::vector<Check>& checks, std::string_view bar, const Results& results,
                const std::string& scenario, std::string_view scheduler, Figure figure,
                double limit) {
  const auto* const found = results.find(scenario, scheduler, measured);
  checks.push_back({std::string{bar}, scenario, std::string{scheduler},
                    found == nullptr ? std::nullopt : std::optional(found->*figure), limit, false});
}

void add_writes(std::vector<Check>& checks, const Results& results,
                const ScenarioTraits& scenarios) {
  for (const auto& [scenario, traits] : scenarios) {
    if (!traits.stationary) continue;
    for (const auto scheduler : schedulers) {
      add_figure(checks, "writes per server and minute", results, scenario, scheduler,
                 &Figures::writes_per_server_minute, most_writes(traits));
    }
  }
}

void add_speed(std::vector<Check>& checks, const Results& results,
               const ScenarioTraits& scenarios) {
  constexpr double right_within_s = 10;
  for (const auto& [scenario, traits] : scenarios) {
    // Where there is next to nothing to see, nothing can be right soon.
    const bool learnable = is_stationary_and_unequal(traits) && !traits.low_traffic;
    if (!learnable || !traits.equal_bases) continue;
    add_figure(checks, "seconds to the right shares", results, scenario, "wrr", &Figures::settle_s,
               right_within_s);
  }
}

/// Latency that comes down to what is still an overload has not come down: then it takes the whole
/// run.
std::optional<double> calm_after_s(const Figures* ours, const Figures* calm, double duration_s) {
  constexpr double as_usual = 3;  // of the median latency
  if (!is_usable(ours) || !is_usable(calm)) return std::nullopt;
  return ours->p50_ms <= as_usual * calm->p50_ms ? ours->calm_s : duration_s;
}

void add_overload(std::vector<Check>& checks, const Results& results,
                  const ScenarioTraits& scenarios) {
  constexpr double calm_within_s = 30;
  for (const auto& [scenario, traits] : scenarios) {
    if (!traits.start_counts) continue;
    for (const auto scheduler : schedulers) {
      const auto value =
          calm_after_s(results.find(scenario, scheduler, measured),
                       results.find(scenario, scheduler, "best-static"), traits.duration_s);
      checks.push_back({"seconds out of the overload", scenario, std::string{scheduler}, value,
                        calm_within_s, false});
    }
  }
}

}  // namespace

bool is_reached(const Check& check) {
  if (!check.value) return false;
  return check.below ? *check.value < check.limit : *check.value <= check.limit;
}

std::vector<Check> checks_from(const std::vector<Summary>& summaries,
                               const ScenarioTraits& scenarios) {
  const Results results(summaries);
  std::vector<Check> checks;
  for (const Rivalry& rivalry : rivalries) {
    add_rivalry(checks, rivalry, &Figures::mean_ms, results, scenarios);
    add_rivalry(checks, rivalry, &Figures::p99_ms, results, scenarios);
  }
  add_sum(checks, &Figures::mean_ms, results, scenarios);
  add_sum(checks, &Figures::p99_ms, results, scenarios);
  add_best_of(checks, results, scenarios);
  add_writes(checks, results, scenarios);
  add_speed(checks, results, scenarios);
  add_overload(checks, results, scenarios);
  return checks;
}

}  // namespace lvs::bench
