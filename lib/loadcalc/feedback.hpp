#pragma once

// `feedback`: dynamic feedback load balancing as it is described for LVS. The weight takes a step
// in every cycle, towards the load that is just right.

#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// R1..R6, each in [0,1], sum 1.
struct FeedbackCoefficients {
  double input{0.1};
  double cpu{0.3};
  double memory{0.1};
  double disk{0.1};
  double processes{0.1};
  double response{0.3};

  friend bool operator==(const FeedbackCoefficients&, const FeedbackCoefficients&) = default;
};

struct FeedbackParameters {
  FeedbackCoefficients coefficients{};
  double step{5.0};        ///< A, weight units on the scale of the bases
  double scale{10.0};      ///< SCALE: W stays within [base, SCALE * base], >= 1
  double set_point{0.95};  ///< AGG that is just right
  double dead_band{0.05};  ///< no step while |set_point - AGG| is not above it
  double idle{0.65};       ///< all AGG of a pool below it: the cluster is idle
  double cpu_right{0.7};   ///< C, 1 - M and disk utilisation that are just right, in (0,1]
  double memory_right{0.7};
  double disk_right{0.7};

  friend bool operator==(const FeedbackParameters&, const FeedbackParameters&) = default;
};

/// W = standing + A * cbrt(set_point - AGG), kept within [base, SCALE * base], on the scale of the
/// bases: only ratios matter. `score` is AGG = R1 INPUT + R2 CPU + R3 MEM + R4 DISK + R5 PROC +
/// R6 RESPONSE, each term 1 when just right: INPUT is the index, CPU, MEM and DISK are utilisations
/// over the right ones, PROC and RESPONSE relative to the pool's mean; at most 10 each. A term that
/// is unknown is left out and the others' coefficients grow to 1. A member without measures
/// keeps its share. Finite and > 0 for every input; independent of the order of the members.
std::vector<Target> feedback_targets(const Pool& pool, const FeedbackParameters& parameters);

enum class PoolSignal {
  none,
  overloaded,  ///< every AGG is above the set-point: more servers are needed, no other weights
  idle,        ///< every AGG is below `idle`
};

/// Of the members whose AGG is known. The original reads the signals off weights that leave
/// [base, SCALE * base], which weights that are kept within can never do.
PoolSignal feedback_signal(const std::vector<Target>& targets,
                           const FeedbackParameters& parameters);

}  // namespace lvs::loadcalc
