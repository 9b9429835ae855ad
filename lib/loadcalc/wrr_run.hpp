#pragma once

// How evenly wrr deals (net/netfilter/ipvs/ip_vs_wrr.c).

#include <cstdint>
#include <span>

namespace lvs::loadcalc {

/// The most connections in a row that wrr gives to one destination. `weights` are in the kernel's
/// list order, the newest first. 0 when fewer than two of them are above 0: then one gets all.
///
/// Exact for a walk that nobody restarts: the level falls from the highest weight by the gcd, and
/// everybody at or above it gets one connection in the list's order. So only a single heaviest one
/// is picked repeatedly: once for each level above the second, once more where it stands first on
/// the level of the second, and once more where it was the last of the round before.
std::uint64_t longest_wrr_run(std::span<const std::uint32_t> weights);

}  // namespace lvs::loadcalc
