#pragma once

// The bars that strategy `capacity` is measured by: what it may cost against others in the same
// scenario under the same scheduler. Pure.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/traits.hpp"
#include "clustersim/summary.hpp"

namespace lvs::bench {

/// One bar in one scenario under one scheduler.
struct Check {
  std::string bar{};  ///< "mean / equal"
  std::string scenario{}, scheduler{};
  std::optional<double> value{};  ///< empty: one of the two was not run, or finished nothing
  double limit{};
  bool below{};                    ///< has to be below the limit; else at most the limit
  std::optional<double> oracle{};  ///< the best that an oracle reaches, where that is asked

  friend bool operator==(const Check&, const Check&) = default;
};

bool is_reached(const Check& check);

/// By the scenario's name.
using ScenarioTraits = std::map<std::string, Traits>;

/// Every bar for every scenario of `traits` and scheduler it applies to, in a fixed order: bar,
/// scenario, scheduler. Results of scenarios without traits are not looked at.
std::vector<Check> checks_from(const std::vector<clustersim::Summary>& results,
                               const ScenarioTraits& traits);

}  // namespace lvs::bench
