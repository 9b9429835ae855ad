#pragma once

// When connections arrive: a Poisson process whose rate follows load, burst and wave.

#include <vector>

#include "clustersim/random.hpp"
#include "clustersim/scenario.hpp"

namespace lvs::clustersim {

/// Mean cost of the scenario's requests at time 0, over classes and services, CPU seconds.
double mean_request_cost(const Scenario& scenario);

/// Requests per second that the pool could just take at time 0: sum of speed * cores / mean cost.
double pool_capacity(const Scenario& scenario);

/// The mean rate as a course of straight pieces, without burst and wave.
class RateCourse {
 public:
  explicit RateCourse(const Scenario& scenario);

  /// Requests per second. Calls come with growing `at_s`.
  double at(double at_s);
  [[nodiscard]] double highest() const;

 private:
  struct Piece {
    double begin_s{}, over_s{};
    double from{}, to{};
  };
  std::vector<Piece> pieces_{};
  std::size_t current_{};
};

class Arrivals {
 public:
  Arrivals(const Scenario& scenario, std::uint64_t seed);

  /// Time of the next connection; each call one further. Thinning (Lewis, Shedler 1979).
  double next();

 private:
  [[nodiscard]] double rate(double at_s);
  void advance_burst(double at_s);

  RateCourse course_;
  Burst burst_;
  Wave wave_;
  double connections_per_request_;
  double bound_;  ///< no rate is above it, connections per second
  bool constant_;
  double now_{};
  bool high_{};
  double burst_ends_{};
  Random arrivals_;
  Random bursts_;
};

}  // namespace lvs::clustersim
