#pragma once

// The sentence that a person reads beside an outcome. Pure.

#include <string>

#include "monitord/decision.hpp"

namespace lvs::monitord {

/// One sentence with the numbers that led to `verdict.outcome`; target, write, readings and
/// counters of the verdict must be set.
std::string reason_for(const Verdict& verdict);

}  // namespace lvs::monitord
