#pragma once

// `linear`: the load is a weighted sum of utilisations, the least loaded server gets the most. From
// a scheme that steers several web servers by DNS.

#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// k_j, each in [0,1], sum 1; the larger, the more influence.
struct LinearCoefficients {
  double cpu{0.4};
  double memory{0.2};
  double network{0.1};
  double disk{0.1};
  double load_average{0.1};
  double connections{0.1};

  friend bool operator==(const LinearCoefficients&, const LinearCoefficients&) = default;
};

struct LinearParameters {
  LinearCoefficients coefficients{};
  double cut_off{0.9};  ///< a utilisation above it takes the server to the floor, in (0,1]

  friend bool operator==(const LinearParameters&, const LinearParameters&) = default;
};

/// target = base * (1 - load), on the scale of the bases: only ratios matter. `score` is the load,
/// the sum of k_j * metric_j over C, 1 - M, network and disk utilisation, load average per CPU (at
/// most 1) and INPUT / 2 (at most 1: twice the mean); an unknown one is left out and the others'
/// coefficients grow to 1. A server with C, 1 - M, network or disk above the cut-off is sent to the
/// floor, a hundredth of its base, unless all are. A member without measures keeps its share.
/// Finite and > 0 for every input; independent of the order of the members.
std::vector<Target> linear_targets(const Pool& pool, const LinearParameters& parameters);

}  // namespace lvs::loadcalc
