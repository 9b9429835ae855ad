#pragma once

// Weights for wrr: small integers times a common factor, and as few changes as will do.

#include <cstdint>
#include <span>
#include <vector>

#include "loadcalc/boundary.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// The part `share` of quantised(). Targets are > 0, finite and no wider apart than the range;
/// current and bases are >= 1; the range is 1 <= min <= max.
std::vector<std::uint32_t> share_weights(std::span<const double> targets,
                                         std::span<const std::uint32_t> current,
                                         std::span<const std::uint32_t> bases,
                                         const WeightRange& range, const Boundary& boundary);

}  // namespace lvs::loadcalc
