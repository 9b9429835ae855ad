#include "monitord/config_yaml_policy.hpp"

#include <chrono>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "monitord/config_yaml_fields.hpp"
#include "monitord/config_yaml_probe.hpp"
#include "monitord/config_yaml_strategies.hpp"
#include "monitord/policy_words.hpp"
#include "monitord/strategies.hpp"
#include "strictyaml/number.hpp"

namespace lvs::monitord {

using strictyaml::Node;
using namespace std::chrono_literals;

namespace {

/// Shares that people write with a few digits sum up to 1 within this.
constexpr double sum_tolerance = 1e-6;

/// To the digits that people write: 1 - 0.7 is 0.3, not 0.30000000000000004.
double rounded(double share) {
  return std::round(share * 1e6) / 1e6;
}

void set_strategy(const Node& node, StrategyKind& strategy) {
  std::vector<std::string> names;
  for (const Strategy& known : strategies())
    names.emplace_back(known.name);
  if (const auto index = node.as_one_of(names)) strategy = strategies()[*index].kind;
}

/// "5%" of the current weight, or a number of weight units.
void set_boundary(const Node& node, loadcalc::Boundary& boundary) {
  const auto text = node.as_string();
  if (!text) return;
  const bool percent = text->ends_with('%');
  const std::string digits = text->substr(0, text->size() - (percent ? 1 : 0));
  const auto value = strictyaml::number_from_string<double>(digits);
  if (!value || !std::isfinite(*value)) {
    node.refuse_value("is no boundary",
                      "write 5% (of the current weight) or 3 (a number of weight units)");
    return;
  }
  const double max = percent ? 100 : largest_weight;
  if (*value < 0 || *value > max) {
    node.refuse_value("is out of range",
                      percent ? "it has to be 0% to 100%" : "it has to be 0 to 65535 weight units");
    return;
  }
  boundary = {percent ? loadcalc::Boundary::Unit::percent : loadcalc::Boundary::Unit::weight,
              *value};
}

void set_weights(const Node& node, loadcalc::WeightRange& weights) {
  if (!node.exists()) return;
  const loadcalc::WeightRange inherited = weights;
  set_weight(node["min"], weights.min);
  set_weight(node["max"], weights.max);
  node.reject_unknown_keys();
  if (weights.min <= weights.max || weights == inherited) return;
  node.error(node.path() + ": min " + std::to_string(weights.min) + " is above max " +
             std::to_string(weights.max));
}

/// F = cpu * (1 - C) + memory * M, one for every strategy that uses F.
void set_composite(const Node& node, Policy& policy) {
  if (!node.exists()) return;
  loadcalc::CompositeShares shares = policy.capacity.shares;
  set_number(node["cpu"], 0, 1, shares.cpu);
  set_number(node["memory"], 0, 1, shares.memory);
  node.reject_unknown_keys();
  const double sum = shares.cpu + shares.memory;
  if (std::abs(sum - 1) > sum_tolerance) {
    node.error(node.path() + ": " + strictyaml::string_from_number(shares.cpu) + " for cpu and " +
                   strictyaml::string_from_number(shares.memory) + " for memory sum up to " +
                   strictyaml::string_from_number(rounded(sum)) + ", not to 1",
               "memory: " + strictyaml::string_from_number(rounded(1 - shares.cpu)) + " would fit");
  }
  policy.capacity.shares = shares;
  policy.headroom.shares = shares;
}

void set_guards(const Node& node, loadcalc::GuardParameters& guards) {
  std::chrono::nanoseconds slow_start{std::llround(guards.slow_start_s * 1e9)};
  set_duration(node["slow_start"], 0s, 1h, slow_start);
  guards.slow_start_s = std::chrono::duration<double>(slow_start).count();
  set_number(node["step_cap"], 1, 1000, guards.step_cap);
  set_number(node["idle_cpu"], 0, 0.5, guards.idle_cpu);
}

}  // namespace

Policy policy_from_node(const Node& node, const Policy& inherited) {
  Policy policy = inherited;
  set_strategy(node["strategy"], policy.strategy);
  set_boundary(node["boundary"], policy.boundary);
  set_weights(node["weights"], policy.weights);
  set_duration(node["min_write_interval"], 0s, 1h, policy.min_write_interval);
  set_number(node["up_step"], 0.01, 1, policy.up_step);
  set_guards(node, policy.guards);
  set_strategies(node, policy);
  set_composite(node["composite"], policy);
  set_probe(node["probe"], policy.probe);
  set_choice(node["foreign"], foreign_words, policy.foreign);
  set_choice(node["on_silence"], silence_words, policy.on_silence);
  set_choice(node["standby"], standby_words, policy.standby);
  set_bool(node["agent_drain"], policy.agent_drain);
  return policy;
}

}  // namespace lvs::monitord
