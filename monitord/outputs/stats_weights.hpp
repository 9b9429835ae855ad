#pragma once

// HAProxy's own counters for the servers of a pool, and whether it has the weights that it was
// told. Pure.

#include <map>
#include <span>
#include <string>

#include "monitord/config.hpp"
#include "monitord/outputs/haproxy_stats.hpp"

namespace lvs::monitord {

/// Of the pool's servers that HAProxy knows.
std::map<ipvs::DestinationKey, PoolCounters> counters_of_pool(const PoolConfig& pool,
                                                              std::span<const ServerStats> stats);

/// Servers at weight 0 in HAProxy that monitord gives more: percentages of a weight in haproxy.cfg
/// that is not the base are cut off to 0, and people drain. Empty: there are none. `pool` has the
/// weights of monitord.
std::string note_about_zeros(const PoolConfig& pool, const ipvs::ServiceEntry& entry,
                             std::span<const ServerStats> stats);

}  // namespace lvs::monitord
