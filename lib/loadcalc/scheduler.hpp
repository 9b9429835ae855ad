#pragma once

// What a weight means to each IPVS scheduler (net/netfilter/ipvs/ip_vs_*.c), and to what spreads
// the connections of a pool without IPVS: roundrobin, leastconn and random, as HAProxy calls them,
// and the dns, where every answer is drawn by weight.

#include <string_view>

namespace lvs::loadcalc {

enum class WeightUse {
  share,       ///< wrr, roundrobin, dns: exact share of a cycle; small integers serve best
  correction,  ///< wlc, sed, nq, twos, leastconn, random: ratio of connections; it looks itself
  hash_slots,  ///< sh, mh: weights are table slots; edits move clients
  ignored,     ///< rr, lc, dh: only zero / non-zero matters
  other,       ///< fo, ovf, lblc, lblcr, unknown: weights mean priority or capacity, not share
};

WeightUse weight_use(std::string_view scheduler);

/// True for the schedulers whose weights monitord may steer: share, correction, hash_slots.
bool uses_weights(std::string_view scheduler);

}  // namespace lvs::loadcalc
