#pragma once

// Who sets the weights: monitord's decide(), or a reference to compare it with.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "clustersim/scenario.hpp"
#include "monitord/config.hpp"
#include "monitord/decision.hpp"

namespace lvs::clustersim {

/// What there is to see. A policy that steers honestly looks at `seen` alone.
struct Sight {
  const monitord::Observations& seen;
  /// Of table entry s: the servers of its destinations.
  std::span<const std::vector<std::size_t>> servers;
  std::span<const double> capacities;        ///< true ones, by server: speed * cores they can use
  std::span<const std::uint64_t> completed;  ///< requests since the start, by server
};

struct WeightWrite {
  std::size_t service{};      ///< index into the table
  std::size_t destination{};  ///< index into its destinations
  std::uint32_t weight{};

  friend bool operator==(const WeightWrite&, const WeightWrite&) = default;
};
using WeightWrites = std::vector<WeightWrite>;

class WeightPolicy {
 public:
  WeightPolicy() = default;
  WeightPolicy(const WeightPolicy&) = delete;
  WeightPolicy& operator=(const WeightPolicy&) = delete;
  virtual ~WeightPolicy() = default;

  /// Before the first connection and whenever something happened to a server or a weight.
  virtual WeightWrites changed(const Sight& sight);
  /// At the end of every interval.
  virtual WeightWrites cycle(const Sight& sight);
  /// Whether Observations::responses is worth its price.
  [[nodiscard]] virtual bool wants_responses() const { return false; }
};

/// monitord's decide() and state_after_apply(). Its `interval` must be the scenario's.
std::unique_ptr<WeightPolicy> make_monitord_policy(monitord::Config config);
/// Never writes.
std::unique_ptr<WeightPolicy> make_static_policy();
/// The same weights always; one that somebody else wrote is corrected at once, unless it is 0.
std::unique_ptr<WeightPolicy> make_fixed_policy(std::vector<std::uint32_t> weights);
/// Small integers in proportion to the true capacities of now.
std::unique_ptr<WeightPolicy> make_clairvoyant_policy();
/// Weight in proportion to requests per second and CPU utilisation, as gRPC and Envoy have it.
std::unique_ptr<WeightPolicy> make_qps_policy();

/// Weights in proportion to capacities > 0, the smallest integers within a few percent; a server
/// without capacity gets 1.
std::vector<std::uint32_t> weights_from_capacities(std::span<const double> capacities);

/// The policy of this name but for best-static, which takes a search; null: no such policy.
/// `jsq` is equal weights here: it is a way to dispatch.
std::unique_ptr<WeightPolicy> policy_from_name(const std::string& name, const Scenario& scenario,
                                               const monitord::Config& config);

}  // namespace lvs::clustersim
