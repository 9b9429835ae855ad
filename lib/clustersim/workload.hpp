#pragma once

// What connections want: which service, from which client, how much work.

#include <cstdint>
#include <vector>

#include "clustersim/random.hpp"
#include "clustersim/scenario.hpp"

namespace lvs::clustersim {

/// Without persistence every connection comes from one of so many addresses, all alike.
inline constexpr std::uint32_t lone_clients = 65536;

class Workload {
 public:
  explicit Workload(const Scenario& scenario);

  /// 0 or 1: the first or the second service.
  [[nodiscard]] std::uint32_t service(Random& random) const;
  /// Clients are numbered from 0, the busiest first.
  [[nodiscard]] std::uint32_t client(Random& random) const;
  [[nodiscard]] std::size_t clients() const;
  /// Work of one request in CPU seconds on a core of speed 1.
  [[nodiscard]] double cost(std::uint32_t service, Random& random) const;

  /// From now on requests cost `mean_s` in the mean; classes and services keep their ratios.
  void set_mean(double mean_s) { factor_ = mean_s / mean_at_start_; }

 private:
  [[nodiscard]] double class_mean(Random& random) const;

  RequestCost first_;
  RequestCost second_{};
  double second_share_{};
  std::vector<RequestClass> classes_;
  double class_shares_{};
  std::vector<double> client_shares_{};  ///< cumulative; empty without persistence
  double mean_at_start_;
  double factor_{1};
};

}  // namespace lvs::clustersim
