#pragma once

// `capacity`: what a server was seen to take, corrected by what it has to spare now.

#include <vector>

#include "loadcalc/capacity_model.hpp"
#include "loadcalc/measures.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// `capacity`: target_i in proportion to base_i * (capacity_i / (worth * base_i))^e * (F~_i / mean
/// F~)^gamma, where worth is what a unit of base weight was seen to take.
struct CapacityParameters {
  double gamma_share{0.5};        ///< under wrr
  double gamma_correction{0.25};  ///< under wlc/sed/nq and sh/mh
  double correction_min{0.5};     ///< bounds of (F~/mean F~)^gamma
  double correction_max{1.5};
  /// e, with which learned : base ratios go into the weights: 1 under wrr, sh and mh. Schedulers
  /// that look at connections start with one of these and learn it, see ratio_exponent.hpp.
  double ratio_exponent_wlc{1.0};  ///< wlc and twos
  double ratio_exponent_sed{0.2};  ///< sed and nq, which see the queue themselves
  double exponent_least{0.2};      ///< e is never learned below it
  double exponent_gain{0.1};       ///< most that e moves in one cycle
  double slope_low{0.0};           ///< band of dC / d ln(capacity / base) in which e stays
  double slope_high{0.2};
  double prior{0.5};  ///< P, in cycles of full load: weight of the base against the evidence
  double doubt{3};    ///< standard errors within which the current weights count as right
  /// Capacity per base unit, over the median of the pool, above which it is not believed: a server
  /// whose application is dead refuses its connections at no cost.
  double advantage_max{16};
  CompositeShares shares{};
  LearningParameters learning{};

  friend bool operator==(const CapacityParameters&, const CapacityParameters&) = default;
};

/// Targets on the scale of the current weights: those of the members with measures sum up to what
/// these members have now, and a member without measures keeps its current weight, so its share.
/// While the pool as a whole has taught nothing the targets are the bases. Targets that the
/// evidence cannot tell from the current weights are the current weights. A member with an
/// advantage that is not to be believed counts as the median of the pool. Finite and > 0 for every
/// input; independent of the order of the members.
std::vector<Target> capacity_targets(const Pool& pool, const CapacityParameters& parameters);

}  // namespace lvs::loadcalc
