#pragma once

// A server that can take no more, and how far to cut it.

#include "loadcalc/measures.hpp"

namespace lvs::loadcalc {

/// M below `memory_reserve`, or no number: the server pages, or is about to.
bool is_short_of_memory(const Measures& measures, double memory_reserve);

/// C at or above `saturation_cpu`, or short of memory, or a measure that is no number.
bool is_saturated(const Measures& measures, double saturation_cpu, double memory_reserve);

/// Weight of a saturated member that stands at `current` and would deserve `fair`: half of the
/// smaller one. Repeated cuts stop at a quarter of `fair`: there its backlog drains already, and
/// the way back is short. Never above `current`.
double cut_weight(double current, double fair);

}  // namespace lvs::loadcalc
