#pragma once

// `response`: the dynamic adaptive algorithm of a thesis on load balancing with Nginx. The weight
// follows what a server has left and how fast it answers; only light servers' weights are raised.

#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// Each in [0,1], sum 1. The defaults are the principal eigenvector of the comparisons
///           cpu  memory  network  disk
///   cpu      1     3        3      5
///   memory  1/3    1        1      3
///   network 1/3    1        1      3
///   disk    1/5   1/3      1/3     1      consistency ratio 0.02
struct ResponseCoefficients {
  double cpu{0.5223};
  double memory{0.1998};
  double network{0.1998};
  double disk{0.0781};

  friend bool operator==(const ResponseCoefficients&, const ResponseCoefficients&) = default;
};

struct ResponseParameters {
  ResponseCoefficients coefficients{};
  double load_share{0.5};  ///< of the remaining load in the real-time weight, in [0,1]; the rest is
                           ///< the response time's

  friend bool operator==(const ResponseParameters&, const ResponseParameters&) = default;
};

/// target = base * (load_share * remaining / mean remaining + (1 - load_share) * mean T / T), on
/// the scale of the bases: only ratios matter. `score` is the remaining load, the sum of
/// coefficient * (1 - utilisation) over CPU, memory, network and disk, where an unknown one is left
/// out and the others' coefficients grow to 1. T is the mean response time of the last period;
/// mean T / T is kept within [1/4, 4]; unknown: the remaining load alone speaks. A server with T
/// above the pool's mean is heavy: its target never exceeds its standing. A member without
/// measures keeps its share. Finite and > 0 for every input; independent of the order of the
/// members.
std::vector<Target> response_targets(const Pool& pool, const ResponseParameters& parameters);

}  // namespace lvs::loadcalc
