#pragma once

// Zeros of monitord's own that were not set because they could not be written down first. Pure.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "monitord/decision.hpp"

namespace lvs::monitord {

/// Says so in their verdicts. A note for people; empty: all that were decided on were written down.
std::optional<std::string> tell_postponed(std::vector<Verdict>& verdicts,
                                          std::span<const Applied> applied);

}  // namespace lvs::monitord
