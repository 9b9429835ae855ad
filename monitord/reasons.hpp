#pragma once

// The sentence that a person reads beside an outcome. Pure.

#include <string>

#include "monitord/decision.hpp"

namespace lvs::monitord {

/// One sentence: the verdict's own, else one with the numbers that led to `verdict.outcome`. Made
/// for whoever asks: most verdicts of most cycles are read by nobody.
std::string reason_of(const Verdict& verdict);

}  // namespace lvs::monitord
