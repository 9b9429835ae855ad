#pragma once

// Real servers that are none: addresses on loopback, one for each, and what their agents say. All
// of it follows from a server's number, so that nobody has to keep it. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "agentproto/key.hpp"
#include "agentproto/sample.hpp"
#include "ipvs/types.hpp"

namespace lvs::bench {

/// 127.64.0.1 and on: all of 127/8 is this host's own (net/ipv4/fib_frontend.c, fib_add_addr).
inline constexpr std::size_t most_servers = std::size_t{1} << 22U;
ipvs::IpAddress server_address(std::size_t server);
/// Empty for an address that is no server's.
std::optional<std::size_t> server_at(const ipvs::IpAddress& address);

/// The key that director and agents of a measurement have in common.
inline constexpr std::uint32_t master_id = 1;
agentproto::Key master_key();

/// 64 bits without a pattern from any number (splitmix64).
std::uint64_t mixed(std::uint64_t number);

/// With more the busiest would be busier than a CPU can be.
inline constexpr double most_swing = 0.5;

/// What the server's agent answers at that moment of its CLOCK_BOOTTIME: its newest sample, taken
/// once a second at a time of the server's own. Counters only grow. CPU occupancy is between 0.25
/// and 0.6, another one for each server, and moves by `swing` (0..most_swing) of that over 5 to 15
/// minutes, and by a quarter as much over some seconds.
agentproto::Sample sample_of(std::size_t server, std::uint64_t now_ns, double swing);

}  // namespace lvs::bench
