#pragma once

// Measures as exactly as a recording holds them. What decides is what is recorded: one last bit
// more, and where a target lies just between two weights a replay would choose the other one.

#include "monitord/decision.hpp"
#include "monitord/reading.hpp"

namespace lvs::monitord {

/// To the nearest 1e-9, which is finer than anything that is measured, and coarse enough for the 15
/// digits of a recording. Numbers from 1e6 on stay as they are.
double on_record_grid(double measure);
void put_on_record_grid(Readings& readings);
void put_on_record_grid(ResponseTimes& responses);

}  // namespace lvs::monitord
