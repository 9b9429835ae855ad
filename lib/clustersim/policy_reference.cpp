// Policies that know what nobody can know, or nothing at all.

#include <algorithm>
#include <utility>

#include "clustersim/policy.hpp"
#include "loadcalc/small_integers.hpp"

namespace lvs::clustersim {
namespace {

constexpr std::uint32_t largest_weight = 100;

/// Brings every weight that is not 0 to what `weights` says for its server.
WeightWrites corrections(const Sight& sight, const std::vector<std::uint32_t>& weights) {
  WeightWrites writes;
  for (std::size_t service = 0; service < sight.servers.size(); ++service) {
    auto const& destinations = sight.seen.table[service].destinations;
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      auto const wanted = weights[sight.servers[service][i]];
      auto const there = destinations[i].weight;
      if (there != 0 && there != wanted) writes.push_back({service, i, wanted});
    }
  }
  return writes;
}

class StaticPolicy : public WeightPolicy {};

class FixedPolicy : public WeightPolicy {
 public:
  explicit FixedPolicy(std::vector<std::uint32_t> weights) : weights_(std::move(weights)) {}
  WeightWrites changed(const Sight& sight) override { return corrections(sight, weights_); }

 private:
  std::vector<std::uint32_t> weights_;
};

class ClairvoyantPolicy : public WeightPolicy {
 public:
  WeightWrites changed(const Sight& sight) override {
    return corrections(sight, weights_from_capacities(sight.capacities));
  }
};

}  // namespace

std::vector<std::uint32_t> weights_from_capacities(std::span<const double> capacities) {
  auto const most = std::ranges::max(capacities);
  std::vector<double> targets;
  for (auto const capacity : capacities)
    targets.push_back(std::max(capacity, most > 0 ? most / largest_weight : 1.0));
  return loadcalc::small_integers(targets, largest_weight);
}

std::unique_ptr<WeightPolicy> make_static_policy() {
  return std::make_unique<StaticPolicy>();
}

std::unique_ptr<WeightPolicy> make_fixed_policy(std::vector<std::uint32_t> weights) {
  return std::make_unique<FixedPolicy>(std::move(weights));
}

std::unique_ptr<WeightPolicy> make_clairvoyant_policy() {
  return std::make_unique<ClairvoyantPolicy>();
}

}  // namespace lvs::clustersim
