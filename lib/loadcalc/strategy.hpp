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
  /// What this strategy wanted for it in the last cycle, on the scale of the bases; empty: nothing
  /// yet. For strategies that go in steps: steps that were too small to be written add up.
  std::optional<double> standing{};
  double active{};  ///< active connections now
};

struct Pool {
  WeightUse weight_use{WeightUse::share};
  WeightRange range{};
  std::vector<Member> members{};
  double arrivals{};        ///< new connections per cycle over the whole service, smoothed
  double ratio_exponent{};  ///< strategy `capacity`: see learned_exponent(); 0: not yet known
  std::string scheduler{};  ///< the kernel's name; tells sed and nq from wlc, empty: as wlc
};

/// One of the numbers that a strategy adds up, as it is after normalising.
struct Term {
  std::string name{};    ///< as in the documentation: "CPU", "RESPONSE"
  double coefficient{};  ///< of those that are known, sum 1
  double value{};

  friend bool operator==(const Term&, const Term&) = default;
};

/// Unquantised wish of a strategy for one member, and the numbers that led to it.
struct Target {
  double weight{};      ///< > 0; only ratios matter before quantising
  double composite{};   ///< F used; 0 without measures
  double capacity{};    ///< capacity strategy: learned connections per unit of load; else 0
  double correction{};  ///< capacity strategy: (F~/mean F~)^gamma, clamped; else 1
  bool saturated{};     ///< set by relieve(): C >= 0.98 or memory under its reserve
  std::optional<double> score{};  ///< `feedback`: AGG, `linear`: load, `response`: remaining load
  std::vector<Term> terms{};      ///< what `score` is made of; unknown ones are left out
  std::string note{};             ///< short reason for people, e.g. "prior only", "backlog: cut"
};

}  // namespace lvs::loadcalc
