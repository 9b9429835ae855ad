#include "clustersim/best_static.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "clustersim/arrivals.hpp"
#include "clustersim/policy.hpp"
#include "clustersim/run.hpp"
#include "loadcalc/small_integers.hpp"

namespace lvs::clustersim {
namespace {

using Weights = std::vector<std::uint32_t>;

constexpr double least_search_s = 120;
constexpr double search_requests = 100000;  ///< of one run, if that takes longer
constexpr double search_warmup_s = 12;
constexpr int most_runs = 30;
constexpr std::uint32_t largest_weight = 100;
constexpr std::array exponents{1.0, 0.0, 0.5, 0.25, 0.75, 1.25};

/// The scenario with its course squeezed into the length of a search run.
Scenario shortened(const Scenario& scenario) {
  auto made = scenario;
  auto const arrivals =
      scenario.arrivals_per_s.value_or(scenario.load.value_or(0) * pool_capacity(scenario));
  auto const wanted = arrivals > 0 ? search_requests / arrivals : least_search_s;
  auto const length = std::max(least_search_s, wanted);
  if (scenario.duration_s <= length) return made;
  auto const factor = length / scenario.duration_s;
  made.duration_s = length;
  made.warmup_s = std::min(search_warmup_s, scenario.warmup_s);
  made.wave.period_s *= factor;
  for (auto& event : made.events) {
    event.at_s *= factor;
    event.over_s *= factor;
  }
  return made;
}

/// Mean over time of every server's true capacity, as far as events say it.
std::vector<double> mean_capacities(const Scenario& scenario) {
  std::vector<double> means;
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    auto const& server = scenario.servers[i];
    double speed = server.speed;
    double background = 0;
    bool up = true;
    double since = 0;
    double sum = 0;
    auto const add_until = [&](double at) {
      auto const until = std::min(at, scenario.duration_s);
      if (up) sum += std::max(0.0, until - since) * speed * server.cores * (1 - background);
      since = until;
    };
    for (auto const& event : scenario.events) {
      if (event.server != i) continue;
      add_until(event.at_s);
      speed = event.speed.value_or(speed);
      background = event.background.value_or(background);
      up = event.up.value_or(up);
    }
    add_until(scenario.duration_s);
    means.push_back(sum / scenario.duration_s);
  }
  return means;
}

/// Servers that are alike and meet no event of their own move together.
std::vector<std::vector<std::size_t>> groups_of(const Scenario& scenario) {
  std::vector<std::vector<std::size_t>> groups;
  auto const eventful = [&](std::size_t server) {
    return std::ranges::any_of(scenario.events,
                               [&](const Event& event) { return event.server == server; });
  };
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    auto const fits = [&](const std::vector<std::size_t>& group) {
      return !eventful(i) && !eventful(group.front()) &&
             scenario.servers[group.front()] == scenario.servers[i];
    };
    auto const found = std::ranges::find_if(groups, fits);
    if (found != groups.end()) {
      found->push_back(i);
    } else {
      groups.push_back({i});
    }
  }
  return groups;
}

class Search {
 public:
  Search(const Scenario& scenario, std::string scheduler, std::uint64_t seed)
      : scenario_(shortened(scenario)) {
    settings_.scheduler = std::move(scheduler);
    settings_.seed = seed;
  }

  /// Runs these weights unless they, or the same ratios, were run already.
  void attempt(Weights weights) {
    if (spent() || !tried_.insert(weights).second) return;
    auto const policy = make_fixed_policy(weights);
    auto const cost = run(scenario_, settings_, *policy).cost_ms;
    if (best_ && cost >= best_->first) return;
    best_ = {cost, std::move(weights)};
  }

  [[nodiscard]] bool spent() const { return tried_.size() >= most_runs; }
  [[nodiscard]] const Weights& best() const { return best_->second; }

 private:
  Scenario scenario_;
  RunSettings settings_{};
  std::set<Weights> tried_{};
  std::optional<std::pair<double, Weights>> best_{};
};

void try_ratios(Search& search, const Scenario& scenario) {
  auto const capacities = mean_capacities(scenario);
  auto const most = std::max(1e-9, std::ranges::max(capacities));
  for (auto const exponent : exponents) {
    std::vector<double> targets;
    targets.reserve(capacities.size());
    for (auto const capacity : capacities)
      targets.push_back(std::pow(std::max(capacity / most, 0.01), exponent));
    search.attempt(loadcalc::small_integers(targets, largest_weight));
  }
}

/// Rounds over all groups, one up and one down, until nothing is gained.
void try_neighbours(Search& search, const Scenario& scenario) {
  auto const groups = groups_of(scenario);
  Weights before;
  while (before != search.best() && !search.spent()) {
    before = search.best();
    for (auto const& group : groups) {
      for (int const step : {1, -1}) {
        auto weights = search.best();
        for (auto const server : group) {
          auto const moved = static_cast<int>(weights[server]) + step;
          weights[server] = static_cast<std::uint32_t>(std::max(1, moved));
        }
        search.attempt(std::move(weights));
      }
    }
  }
}

}  // namespace

Weights best_static_weights(const Scenario& scenario, const std::string& scheduler,
                            std::uint64_t seed) {
  Search search(scenario, scheduler, seed);
  try_ratios(search, scenario);
  try_neighbours(search, scenario);
  return search.best();
}

}  // namespace lvs::clustersim
