#pragma once

// Zeros of monitord's own that it does not watch over any more: what becomes of them, and how they
// end. A sentence for people about each. Pure.

#include <span>
#include <string>
#include <vector>

#include "ipvs/table.hpp"
#include "monitord/config.hpp"
#include "monitord/decision.hpp"

namespace lvs::monitord {

/// Under a configuration that was just read: in a dry run all of them stay; those of services that
/// are not managed any more end in the next cycle, but for drains and pauses that a person ordered.
std::vector<std::string> let_go_zeros(const State& state, std::span<const ipvs::ServiceEntry> table,
                                      const Config& config);

/// In a dry run, and when monitord has ended: the ones that are still there.
std::vector<std::string> left_zeros(const State& state, std::span<const ipvs::ServiceEntry> table,
                                    const Config& config);

}  // namespace lvs::monitord
