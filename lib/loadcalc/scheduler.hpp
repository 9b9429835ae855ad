#pragma once

// What a weight means to each IPVS scheduler (net/netfilter/ipvs/ip_vs_*.c).

#include <string_view>

namespace lvs::loadcalc {

enum class WeightUse {
  share,       ///< wrr: exact share of a cycle; small integers serve best
  correction,  ///< wlc, sed, nq, twos: ratio of connections; the scheduler looks itself
  hash_slots,  ///< sh, mh: weights are table slots; edits move clients
  ignored,     ///< rr, lc, dh: only zero / non-zero matters
  other,       ///< fo, ovf, lblc, lblcr, unknown: weights mean priority or capacity, not share
};

WeightUse weight_use(std::string_view scheduler);

/// True for the schedulers whose weights monitord may steer: share, correction, hash_slots.
bool uses_weights(std::string_view scheduler);

}  // namespace lvs::loadcalc
