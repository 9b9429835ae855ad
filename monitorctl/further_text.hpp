#pragma once

// What is known beyond C and M, on one line for people.

#include <string>

#include "loadcalc/further_measures.hpp"

namespace lvs::monitorctl {

/// "network 12.0 %, disk 3.0 %, 214 processes, load 0.40 per CPU, CPU stall 1.0 %, memory stall
/// 0.0 %, I/O stall 2.5 %, response 1.2 ms": only what is known; "-" when nothing is.
std::string further_text(const loadcalc::FurtherMeasures& measures);

}  // namespace lvs::monitorctl
