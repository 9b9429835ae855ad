// Client-side weighted round robin of gRPC (gRFC A58) and Envoy: weight = qps / utilisation, from
// what the servers themselves report.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "clustersim/policy.hpp"

namespace lvs::clustersim {
namespace {

constexpr double newest_share = 0.3;  ///< of the moving average
constexpr double largest_weight = 100;
constexpr double least_utilisation = 0.01;

class QpsPolicy : public WeightPolicy {
 public:
  WeightWrites cycle(const Sight& sight) override {
    learn(sight);
    WeightWrites writes;
    for (std::size_t service = 0; service < sight.servers.size(); ++service)
      steer(sight, service, writes);
    return writes;
  }

 private:
  void learn(const Sight& sight) {
    ratios_.resize(sight.completed.size());
    completed_.resize(sight.completed.size());
    for (std::size_t service = 0; service < sight.servers.size(); ++service) {
      auto const& destinations = sight.seen.table[service].destinations;
      for (std::size_t i = 0; i < destinations.size(); ++i)
        learn_server(sight, sight.servers[service][i], destinations[i].key.address);
    }
    completed_.assign(sight.completed.begin(), sight.completed.end());
  }

  void learn_server(const Sight& sight, std::size_t server, const ipvs::IpAddress& address) {
    auto const reading = sight.seen.readings.find(address);
    auto const done = sight.completed[server] - completed_[server];
    completed_[server] = sight.completed[server];
    if (reading == sight.seen.readings.end() || done == 0) return;
    auto const busy = std::max(least_utilisation, reading->second.cpu_busy.value_or(0));
    auto const ratio = static_cast<double>(done) / busy;
    auto& known = ratios_[server];
    known = known > 0 ? known + newest_share * (ratio - known) : ratio;
  }

  /// A server that nothing is known about gets the mean of the others.
  void steer(const Sight& sight, std::size_t service, WeightWrites& writes) const {
    auto const& servers = sight.servers[service];
    double sum = 0;
    double most = 0;
    std::size_t known = 0;
    for (auto const server : servers) {
      sum += ratios_[server];
      most = std::max(most, ratios_[server]);
      known += ratios_[server] > 0 ? 1 : 0;
    }
    if (known == 0) return;
    for (std::size_t i = 0; i < servers.size(); ++i) {
      auto const own = ratios_[servers[i]];
      auto const ratio = own > 0 ? own : sum / static_cast<double>(known);
      auto const weight =
          static_cast<std::uint32_t>(std::max(1.0, std::round(largest_weight * ratio / most)));
      auto const there = sight.seen.table[service].destinations[i].weight;
      if (there != 0 && there != weight) writes.push_back({service, i, weight});
    }
  }

  std::vector<double> ratios_{};  ///< by server; 0: unknown
  std::vector<std::uint64_t> completed_{};
};

}  // namespace

std::unique_ptr<WeightPolicy> make_qps_policy() {
  return std::make_unique<QpsPolicy>();
}

}  // namespace lvs::clustersim
