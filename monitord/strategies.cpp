#include "monitord/strategies.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "loadcalc/capacity.hpp"
#include "loadcalc/feedback.hpp"
#include "loadcalc/headroom.hpp"
#include "loadcalc/linear.hpp"
#include "loadcalc/ratio_exponent.hpp"
#include "loadcalc/response.hpp"

namespace lvs::monitord {
namespace {

using loadcalc::Pool;
using loadcalc::Target;
using loadcalc::TargetSort;
using Targets = std::vector<Target>;

ReadingsNeeded feedback_needs(const Policy& policy) {
  auto const& share = policy.feedback.coefficients;
  return {.response = share.response > 0,
          .network = false,
          .disk = share.disk > 0,
          .processes = share.processes > 0,
          .load_average = false,
          .connections = share.input > 0};
}

ReadingsNeeded response_needs(const Policy& policy) {
  auto const& share = policy.response.coefficients;
  bool const looks_at_times = policy.response.load_share < 1;
  return {.response = looks_at_times,
          .network = share.network > 0,
          .disk = share.disk > 0,
          .processes = false,
          .load_average = false,
          .connections = false};
}

ReadingsNeeded linear_needs(const Policy& policy) {
  auto const& share = policy.linear.coefficients;
  return {.response = false,
          .network = share.network > 0,
          .disk = share.disk > 0,
          .processes = false,
          .load_average = share.load_average > 0,
          .connections = share.connections > 0};
}

std::string feedback_note(const Targets& targets, const Policy& policy) {
  switch (feedback_signal(targets, policy.feedback)) {
    case loadcalc::PoolSignal::overloaded:
      return "the whole pool is overloaded: every AGG is above the set-point";
    case loadcalc::PoolSignal::idle:
      return "the whole pool is idle: every AGG is far below the set-point";
    case loadcalc::PoolSignal::none:
      break;
  }
  return {};
}

constexpr std::array table{
    Strategy{StrategyKind::capacity, "capacity", "", TargetSort::capacities,
             [](const Pool& pool, const Policy& policy) {
               return loadcalc::capacity_targets(pool, policy.capacity);
             },
             [](const Policy&) { return ReadingsNeeded{.connections = true}; },
             [](const Pool& pool, const Policy& policy) {
               return loadcalc::learned_exponent(pool, policy.capacity);
             },
             nullptr},
    Strategy{StrategyKind::headroom, "headroom", "", TargetSort::weights,
             [](const Pool& pool, const Policy& policy) {
               return loadcalc::headroom_targets(pool, policy.headroom);
             },
             [](const Policy&) { return ReadingsNeeded{}; }, nullptr, nullptr},
    Strategy{StrategyKind::feedback, "feedback", "AGG", TargetSort::ratios,
             [](const Pool& pool, const Policy& policy) {
               return loadcalc::feedback_targets(pool, policy.feedback);
             },
             feedback_needs, nullptr, feedback_note},
    Strategy{StrategyKind::response, "response", "remaining load", TargetSort::ratios,
             [](const Pool& pool, const Policy& policy) {
               return loadcalc::response_targets(pool, policy.response);
             },
             response_needs, nullptr, nullptr},
    Strategy{StrategyKind::linear, "linear", "load", TargetSort::ratios,
             [](const Pool& pool, const Policy& policy) {
               return loadcalc::linear_targets(pool, policy.linear);
             },
             linear_needs, nullptr, nullptr},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].kind) != i) return false;
  }
  return true;
}
static_assert(is_in_order(), "strategy_of() takes the kind for the index");

}  // namespace

std::span<const Strategy> strategies() {
  return table;
}

const Strategy& strategy_of(StrategyKind kind) {
  return table.at(static_cast<std::size_t>(kind));
}

std::optional<StrategyKind> strategy_from_name(std::string_view name) {
  auto const* const found = std::ranges::find(table, name, &Strategy::name);
  if (found == table.end()) return std::nullopt;
  return found->kind;
}

std::string_view name_of_strategy(StrategyKind kind) {
  return strategy_of(kind).name;
}

ReadingsNeeded readings_needed(const Policy& policy) {
  return strategy_of(policy.strategy).needs(policy);
}

}  // namespace lvs::monitord
