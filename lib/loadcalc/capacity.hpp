#pragma once

// `capacity`: what a server was seen to take, corrected by what it has to spare now.

#include <vector>

#include "loadcalc/capacity_model.hpp"
#include "loadcalc/measures.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// `capacity`: target_i in proportion to capacity_i * (F~_i / mean F~)^gamma.
struct CapacityParameters {
  double gamma_share{0.5};        ///< under wrr
  double gamma_correction{0.25};  ///< under wlc/sed/nq and sh/mh
  double correction_min{0.5};     ///< bounds of (F~/mean F~)^gamma
  double correction_max{1.5};
  double ratio_exponent_wlc{0.6};  ///< learned : base ratios are raised to it under wlc (and twos)
  double ratio_exponent_sed{0.2};  ///< and under sed and nq, which see the queue themselves
  double prior{0.5};  ///< P, in cycles of full load: weight of the base against the evidence
  double saturation_cpu{0.98};
  double memory_reserve{0.05};  ///< M below it: saturated
  CompositeShares shares{};
  LearningParameters learning{};

  friend bool operator==(const CapacityParameters&, const CapacityParameters&) = default;
};

/// Targets on the scale of the current weights: those of the members with measures sum up to what
/// these members have now, and a member without measures keeps its current weight, so its share.
/// While the pool as a whole has taught nothing the targets are the bases. A saturated member is
/// cut at once, as deep as the others have room for; when all are saturated the current ratios
/// stay. Finite and > 0 for every input; independent of the order of the members.
std::vector<Target> capacity_targets(const Pool& pool, const CapacityParameters& parameters);

}  // namespace lvs::loadcalc
