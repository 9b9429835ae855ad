#pragma once

// A server that can take no more, and how far to cut it.

#include "loadcalc/measures.hpp"

namespace lvs::loadcalc {

/// C at or above `saturation_cpu`, or M below `memory_reserve`, or a measure that is no number.
bool is_saturated(const Measures& measures, double saturation_cpu, double memory_reserve);

/// Weight of a saturated member that stands at `current` and would deserve `fair`: half of the
/// smaller one. Repeated cuts stop at a quarter of `fair`: there its backlog drains already, and
/// the way back is short. Never above `current`.
double cut_weight(double current, double fair);

}  // namespace lvs::loadcalc
