#pragma once

// The smallest integers that say nearly the same as real-valued shares.
//
// wrr walks down by the gcd of the weights (net/netfilter/ipvs/ip_vs_wrr.c) and picks the heavy
// ones in runs: 33:79:165 picks the last server 86 times in a row, 2:5:10 with the same shares 5
// times, and the queues behind them differ as much.

#include <cstdint>
#include <span>
#include <vector>

namespace lvs::loadcalc {

inline constexpr std::uint32_t small_integer = 12;
inline constexpr double small_error = 0.05;  ///< shares this near are the same: integers are taken
/// Weights whose shares are this near are kept: an edit costs more than it mends (it restarts the
/// walk of wrr, and moves clients under a hash).
inline constexpr double keep_share = 0.10;

/// Largest |share of weights_i / share of targets_i - 1|. Targets are > 0 and finite.
double largest_share_error(std::span<const std::uint32_t> weights, std::span<const double> targets);

/// True when the weights have the very ratios of the targets.
bool same_ratios(std::span<const std::uint32_t> weights, std::span<const double> targets);

/// The largest integer that still counts as small: 12, or the ratio of a pool that is wider, at
/// most `limit`. Targets are > 0 and finite.
std::uint32_t largest_small_integer(std::span<const double> targets, std::uint32_t limit);

/// Tries the largest integer 1, 2, 3 ... and takes the first vector whose shares are all within 5
/// %, else the one with the least error. Never 0. O(n) per try, at most about 100 tries. Targets
/// are > 0 and finite.
std::vector<std::uint32_t> small_integers(std::span<const double> targets, std::uint32_t limit);

}  // namespace lvs::loadcalc
