#pragma once

// What every strategy sees and says. A strategy is a pure function of the whole pool and of what
// was learned about its servers; it reads no clock and knows no kernel.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loadcalc/capacity_model.hpp"
#include "loadcalc/further_measures.hpp"
#include "loadcalc/measures.hpp"
#include "loadcalc/scheduler.hpp"

namespace lvs::loadcalc {

/// Bounds of every weight that is written. A healthy server is never below 1.
struct WeightRange {
  std::uint32_t min{1};
  std::uint32_t max{100};

  friend bool operator==(const WeightRange&, const WeightRange&) = default;
};

/// One destination of the pool, weight > 0 in the kernel. All counts belong to the last cycle.
struct Member {
  std::uint32_t base{1};               ///< base weight, >= 1
  std::uint32_t current{1};            ///< weight in the kernel now, >= 1
  std::optional<Measures> measures{};  ///< empty: no usable reading (silent, or C/M unknown)
  ServerModel model{};                 ///< what was learned about its real server so far
  FurtherMeasures further{};
  double input{1};     ///< INPUT index
  double completed{};  ///< connections that ended, may be negative
  double active{};     ///< active connections now
};

struct Pool {
  WeightUse weight_use{WeightUse::share};
  WeightRange range{};
  std::vector<Member> members{};
  double arrivals{};        ///< new connections per cycle over the whole service, smoothed
  double ratio_exponent{};  ///< strategy `capacity`: see learned_exponent(); 0: not yet known
  std::string scheduler{};  ///< the kernel's name; tells sed and nq from wlc, empty: as wlc
};

/// Unquantised wish of a strategy for one member, and the numbers that led to it.
struct Target {
  double weight{};      ///< > 0; only ratios matter before quantising
  double composite{};   ///< F used; 0 without measures
  double capacity{};    ///< capacity strategy: learned connections per unit of load; else 0
  double correction{};  ///< capacity strategy: (F~/mean F~)^gamma, clamped; else 1
  bool saturated{};     ///< C >= 0.98 or memory under its reserve
  std::string note{};   ///< short reason for people, e.g. "prior only", "saturated: cut"
};

/// `capacity`: target_i in proportion to capacity_i * (F~_i / mean F~)^gamma.
struct CapacityParameters {
  double gamma_share{0.5};        ///< under wrr
  double gamma_correction{0.25};  ///< under wlc/sed/nq and sh/mh
  double correction_min{0.5};     ///< bounds of (F~/mean F~)^gamma
  double correction_max{1.5};
  double exponent_least{0.2};
  double exponent_gain{0.1};
  double slope_low{0.0}, slope_high{0.2};
  double ratio_exponent_wlc{1.0};  ///< learned : base ratios are raised to it under wlc (and twos)
  double ratio_exponent_sed{0.2};  ///< and under sed and nq, which see the queue themselves
  double prior{0.5};  ///< P, in cycles of full load: weight of the base against the evidence
  double backlog_horizon{5};      ///< cycles in which a backlog may take to drain
  double backlog_tolerated{0.5};  ///< cycles of work that may wait above what is normal
  double backlog_floor{0.05};     ///< of its share that a server with a backlog keeps at least
  double doubt{3};                ///< standard errors within which a share counts as right
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
double learned_exponent(const Pool& pool, const CapacityParameters& parameters);

std::vector<Target> capacity_targets(const Pool& pool, const CapacityParameters& parameters);

/// `headroom`: target_i = base_i * scale * F_i.
struct HeadroomParameters {
  double scale{1.0};
  double saturation_cpu{0.98};
  double memory_reserve{0.05};
  CompositeShares shares{};

  friend bool operator==(const HeadroomParameters&, const HeadroomParameters&) = default;
};

/// Weights as they are meant to stand in the kernel: rounded() in quantise.hpp takes them
/// literally. A member without measures keeps its current weight. A saturated member beside others
/// that are not is cut below base * scale * F as well. Finite and > 0 for every input.
std::vector<Target> headroom_targets(const Pool& pool, const HeadroomParameters& parameters);

}  // namespace lvs::loadcalc
