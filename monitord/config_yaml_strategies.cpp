#include "monitord/config_yaml_strategies.hpp"

#include <cmath>
#include <string>

#include "monitord/policy_numbers.hpp"
#include "monitord/strategies.hpp"
#include "strictyaml/number.hpp"

namespace lvs::monitord {

using strictyaml::Node;
using strictyaml::string_from_number;

namespace {

/// Shares that people write with a few digits sum up to 1 within this.
constexpr double sum_tolerance = 1e-6;

void check_sum(const Node& node, const PolicyMap& map) {
  double sum = 0;
  std::string parts;
  for (const PolicyNumber& number : map.numbers) {
    sum += *number.value;
    parts.append(parts.empty() ? "" : ", ").append(number.key).append(" ");
    parts += string_from_number(*number.value);
  }
  if (std::abs(sum - 1) <= sum_tolerance) return;
  node.error(node.path() + ": " + parts + " sum up to " +
                 string_from_number(std::round(sum * 1e6) / 1e6) + ", not to 1",
             "what is not given keeps its value; \"monitorctl ahp\" makes coefficients of sum 1");
}

void set_map(const Node& section, const PolicyMap& map) {
  const Node node = map.within.empty() ? section : section[map.within];
  if (!node.exists()) return;
  bool whole = node.is_map();
  for (const PolicyNumber& number : map.numbers) {
    const Node value = node[number.key];
    const auto read = value.as_number(number.min, number.max);
    whole = whole && (read || !value.exists());
    *number.value = read.value_or(*number.value);
  }
  if (!map.within.empty()) node.reject_unknown_keys();
  // A number that was refused is a problem already; the sum without it says nothing.
  if (map.sums_up_to_1 && whole) check_sum(node, map);
}

/// What relieves servers holds for every strategy since it left them.
void name_moved_keys(const Node& node) {
  node.moved("saturation",
             "its cpu and memory_reserve are saturation_cpu and memory_reserve of guards: now");
  const Node capacity = node["capacity"];
  for (const std::string key : {"backlog_horizon", "backlog_tolerated", "backlog_floor"})
    capacity.moved(key, key + " is a key of guards: now, beside capacity:");
}

void reject_unknown_keys(const Node& section) {
  if (section.exists()) section.reject_unknown_keys();
}

void check_windows(const Node& node, const loadcalc::LearningParameters& learning) {
  if (!node.exists() || learning.lambda_short < learning.lambda) return;
  node.error(node.path() + ": lambda_short has to be below lambda",
             "the short window notices changes, the long one remembers");
}

/// A pool that is idle and just right at a time says nothing.
void check_idle(const Node& node, const loadcalc::FeedbackParameters& feedback) {
  if (!node.exists() || feedback.idle < feedback.set_point) return;
  node.error(node.path() + ": idle has to be below set_point, which is " +
                 string_from_number(feedback.set_point),
             "a pool is idle when every AGG is far below the set-point");
}

}  // namespace

void set_strategies(const Node& node, Policy& policy) {
  for (const PolicyMap& map : policy_maps(policy)) {
    const Node section = node[map.section];
    if (section.exists()) set_map(section, map);
  }
  name_moved_keys(node);
  // Only now are all keys of a section known, those of its inner maps, too.
  reject_unknown_keys(node["guards"]);
  for (const Strategy& strategy : strategies())
    reject_unknown_keys(node[strategy.name]);
  check_windows(node["capacity"], policy.capacity.learning);
  check_idle(node["feedback"], policy.feedback);
}

}  // namespace lvs::monitord
