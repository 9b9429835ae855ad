#pragma once

// Room for the queues that are there: a scheduler that does not look at connections (wrr, sh, mh)
// goes on sending to a server that has a thousand requests waiting, so its weight has to look. And
// no room for more than a server was seen to take, as long as others can take it.

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

/// What there is to deal, and how.
struct Dealing {
  double arrivals{};  ///< per cycle
  double horizon{};   ///< cycles in which a backlog may take to drain, > 0
  double floor{};     ///< of its share that a member keeps at least
  bool ends{true};    ///< false: capacities are not to be trusted and limit nothing
};

/// The shares after `backlog` connections each are made room for. Of the arrivals of the horizon
/// each member gets v * share, or what it can take over the horizon where that is less, minus its
/// backlog, but never less than `floor` of its share; v is such that all are dealt. What it can
/// take is its capacity, or a tenth more than it would have if all were filled alike: a pool that
/// is nearly full, or whose capacities are not yet known well, is not dealt by capacity alone. The
/// sum of the result is the sum of the shares. Without arrivals nothing changes, nor where nobody
/// has a backlog or gets more than it can take.
std::vector<double> shares_beside_backlogs(std::span<const Queue> queues,
                                           std::span<const double> backlog, const Dealing& dealing);

}  // namespace lvs::loadcalc
