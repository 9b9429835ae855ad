#pragma once

// Relief of servers that cannot take what they are given: the same behind every strategy.

#include <span>
#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

struct ReliefParameters {
  double backlog_horizon{3};       ///< cycles in which a backlog may take to drain
  double backlog_tolerated{0.25};  ///< cycles of work that may wait above what is usual
  double backlog_floor{0.05};      ///< of its share that a server with a backlog keeps at least
  double saturation_cpu{0.98};     ///< C from which on a server is saturated
  double memory_reserve{0.05};     ///< M below which it is, too, and short of memory

  friend bool operator==(const ReliefParameters&, const ReliefParameters&) = default;
};

/// What a strategy's targets are.
enum class TargetSort {
  ratios,      ///< of a look at the moment: their sum stays, and what a server can take ends them
  capacities,  ///< ratios that come from what servers can take: that does not end them once more
  weights,     ///< literal: what a server loses goes to nobody
};

/// Takes off `targets`, each finite and > 0, what their servers cannot take, and marks who is
/// saturated. Under a scheduler that does not look at connections (wrr, sh, mh) backlogs are made
/// room for, and `ratios` and `weights` deal nobody more than it can take, see backlog.hpp;
/// `capacities` are those of the members, from learned_capacities(): where they are empty nobody
/// can tell. A server short of memory is cut at once, to half of the smaller of its target and the
/// weight that it has (cut_weight), unless all are short. One that is merely busy is left to the
/// scheduler and the strategy: cut on top of a strategy in which C is a term, the weights swing,
/// and a pool at 0.7 of what it can take goes under (measured). Members without measures stay as
/// they are. Finite and > 0 for every pool; independent of the order of the members; without
/// backlog, with memory and at shares that all can take nothing changes.
void relieve(const Pool& pool, std::span<const double> capacities,
             const ReliefParameters& parameters, TargetSort sort, std::vector<Target>& targets);

}  // namespace lvs::loadcalc
