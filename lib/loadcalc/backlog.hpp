#pragma once

// Room for the queues that are there: a scheduler that does not look at connections (wrr, sh, mh)
// goes on sending to a server that has a thousand requests waiting, so its weight has to look.

#include <span>
#include <vector>

namespace lvs::loadcalc {

/// One member, in connections and connections per cycle.
struct Queue {
  double share{};     ///< of the pool's new connections that it deserves, > 0; any scale
  double capacity{};  ///< completions per cycle when busy, > 0
  double active{};    ///< active connections now, >= 0
};

/// Active connections above what the pool's median server has for its capacity: those are waiting.
/// Idle keep-alive connections are in proportion everywhere and cancel out. Same length, each >= 0.
std::vector<double> backlogs(std::span<const Queue> queues, double tolerated);

/// The shares after `backlog` connections each are made room for: of the `arrivals` of the next
/// cycles (all of the horizon that the backlogs may take to drain) each member gets v * share -
/// backlog, but never less than `floor` of its share; v is such that all arrivals are dealt. The
/// sum of the result is the sum of the shares; without arrivals nothing changes.
std::vector<double> shares_beside_backlogs(std::span<const Queue> queues,
                                           std::span<const double> backlog, double arrivals,
                                           double floor);

}  // namespace lvs::loadcalc
