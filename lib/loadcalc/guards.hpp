#pragma once

// Guards that every strategy's targets pass: what a strategy may want is one thing, how far a
// weight may go in one cycle another.

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

struct GuardParameters {
  double step_cap{4};       ///< a weight is at most multiplied by it in one cycle
  double slow_start_s{10};  ///< a destination that came (back) is ramped up over it; 0: not
  double idle_cpu{0.02};    ///< below this mean C of the pool there is nothing to steer

  friend bool operator==(const GuardParameters&, const GuardParameters&) = default;
};

/// Share of its target that a destination may have `age_s` seconds after it came: from 0.2 up to 1
/// at `slow_start_s`. wlc and sed would send everything to a server that has no connection yet,
/// and a server that has just started has cold caches.
double slow_start_share(double age_s, double slow_start_s);

/// `target`, but at most `step_cap` times `current`; the way down is not limited. A step_cap below
/// 1 or not a number caps nothing.
double capped_step(double current, double target, double step_cap);

/// True when nobody in the pool has anything to do: mean C of the members with measures is below
/// `idle_cpu`. What they report then is noise, and weights go back to their bases.
bool is_idle(const Pool& pool, double idle_cpu);

}  // namespace lvs::loadcalc
