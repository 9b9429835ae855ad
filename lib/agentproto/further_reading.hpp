#pragma once

// From two samples of one agent to what strategies may look at beyond C and M.

#include "agentproto/sample.hpp"
#include "loadcalc/further_measures.hpp"

namespace lvs::agentproto {

/// Shares of the time between the samples, within [0,1]:
///   network   the busier direction's bits / (line rate * time), /proc/net/dev
///   disk      I/O time of the busiest disk / time, /proc/diskstats
///   pressure  stall time "some" / time, /proc/pressure (Documentation/accounting/psi.rst)
/// Each is unknown when the real server was restarted, no time passed, its counter went back or
/// grew by more than can have passed (it was set anew), and where the agent does not tell it. The
/// network's is unknown as well without a line rate, and when that has changed: then the sums are
/// over other interfaces. Processes and load average need `after` alone and have no upper bound.
/// The response time is not an agent's to tell.
loadcalc::FurtherMeasures further_from_samples(const Sample& before, const Sample& after);

}  // namespace lvs::agentproto
