#pragma once

// From what was learned about the servers to what each can take.

#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// True when the member's own completions and load count: neither negative nor broken.
bool has_evidence(const Member& member);

/// Completions per unit of load and of base weight, over the whole pool: what a base unit is worth.
/// Equal to c / mean base of a pool with equal bases; weighted by the bases so that a pool whose
/// bases are right has the right prior also while only some of its servers were seen. 0 while the
/// pool has fewer than `minimum_completions` behind it: nothing is learned.
double worth_of_a_base_unit(const Pool& pool, double minimum_completions);

/// Completions per cycle of full load: what was seen, and `prior` cycles of what its base would be
/// worth. > 0 for `worth` > 0.
double learned_capacity(const Member& member, double worth, double prior);

/// That of every member; empty while nothing is learned.
std::vector<double> learned_capacities(const Pool& pool, double minimum_completions, double prior);

}  // namespace lvs::loadcalc
