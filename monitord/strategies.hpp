#pragma once

// The strategies by name. A strategy is one entry of the table in strategies.cpp.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loadcalc/relief.hpp"
#include "loadcalc/strategy.hpp"
#include "monitord/config.hpp"
#include "monitord/strategy_kind.hpp"

namespace lvs::monitord {

/// What a strategy looks at beyond C and M, with the coefficients that it has.
struct ReadingsNeeded {
  bool response{};      ///< the director's probes have to measure response times
  bool network{};       ///< further.network_utilisation
  bool disk{};          ///< further.disk_utilisation
  bool processes{};     ///< further.processes
  bool load_average{};  ///< further.load_per_cpu
  bool connections{};   ///< the kernel's connection counters

  friend bool operator==(const ReadingsNeeded&, const ReadingsNeeded&) = default;
};

struct Strategy {
  StrategyKind kind{};
  std::string_view name{};   ///< as in monitord.yaml
  std::string_view score{};  ///< what Target::score is called; empty: it has none
  /// Ratios: the quantiser chooses the scale. Weights: wrr still gets the smallest integers with
  /// their ratios.
  loadcalc::TargetSort sort{};
  std::vector<loadcalc::Target> (*targets)(const loadcalc::Pool&, const Policy&){};
  ReadingsNeeded (*needs)(const Policy&){};
  /// What it learns about the pool as a whole (Pool::ratio_exponent), before the targets; null:
  /// nothing.
  double (*exponent)(const loadcalc::Pool&, const Policy&){};
  /// What the targets say about the pool as a whole, for people; null: nothing ever.
  std::string (*pool_note)(const std::vector<loadcalc::Target>&, const Policy&){};
};

/// All of them, in the order of StrategyKind.
std::span<const Strategy> strategies();
const Strategy& strategy_of(StrategyKind kind);

/// Empty when no strategy has this name.
std::optional<StrategyKind> strategy_from_name(std::string_view name);
std::string_view name_of_strategy(StrategyKind kind);

/// Of the policy's strategy: a reading whose coefficient is 0 is not needed.
ReadingsNeeded readings_needed(const Policy& policy);

}  // namespace lvs::monitord
