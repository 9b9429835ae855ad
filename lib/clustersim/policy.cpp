#include "clustersim/policy.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "monitord/strategies.hpp"

namespace lvs::clustersim {
namespace {

using monitord::StrategyKind;

constexpr std::uint32_t equal_weight = 10;

constexpr std::array<std::string_view, 6> references{
    "equal", "static", "clairvoyant", "best-static", "jsq", "qps-over-utilisation"};

monitord::Config config_of(StrategyKind kind, const Scenario& scenario,
                           const monitord::Config& given) {
  monitord::Config config;
  config.dry_run = false;
  config.interval = std::chrono::nanoseconds(std::llround(scenario.interval_s * 1e9));
  config.hold_polls = given.hold_polls;
  config.defaults = given.defaults;
  config.defaults.strategy = kind;
  return config;
}

}  // namespace

WeightWrites WeightPolicy::changed(const Sight& /*sight*/) {
  return {};
}

WeightWrites WeightPolicy::cycle(const Sight& /*sight*/) {
  return {};
}

bool is_strategy(const std::string& name) {
  return std::ranges::find(references, name) != references.end() ||
         monitord::strategy_from_name(name).has_value();
}

std::unique_ptr<WeightPolicy> policy_from_name(const std::string& name, const Scenario& scenario,
                                               const monitord::Config& config) {
  if (auto const kind = monitord::strategy_from_name(name)) {
    return make_monitord_policy(config_of(*kind, scenario, config));
  }
  if (name == "static") return make_static_policy();
  if (name == "clairvoyant") return make_clairvoyant_policy();
  if (name == "qps-over-utilisation") return make_qps_policy();
  if (name == "equal" || name == "jsq") {
    return make_fixed_policy(std::vector(scenario.servers.size(), equal_weight));
  }
  return nullptr;
}

}  // namespace lvs::clustersim
