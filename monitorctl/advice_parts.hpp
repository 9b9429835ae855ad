#pragma once

// What several rules need to say. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "monitorctl/advice.hpp"

namespace lvs::monitorctl {

inline constexpr std::uint32_t plain_weight = 10;  ///< where all are equal and one has to be chosen

/// "33:79:165"; of more than eight the first six and "...".
std::string weights_text(const std::vector<std::uint32_t>& weights);
/// "10.0.0.11:80, 10.0.0.12:80"; of more than four the first three and how many more.
std::string names_text(const std::vector<std::string>& names);

bool all_equal(const std::vector<std::uint32_t>& weights);
/// The weights of `pool` if they are equal, else `plain_weight` for all.
std::vector<std::uint32_t> equal_weights(const std::vector<const DestinationFacts*>& pool);
/// The smallest integers in the ratios of the weights, within 5 % where that goes.
std::vector<std::uint32_t> small_weights(const std::vector<std::uint32_t>& weights);

/// How many connections in a row somebody gets under wrr with these weights of `pool`.
std::uint64_t run_of(const std::vector<const DestinationFacts*>& pool,
                     const std::vector<std::uint32_t>& weights);
/// Whether a run is long enough to be seen in latencies, and the small integers' is worth a change.
bool is_bursty(std::uint64_t run, std::uint64_t small_run);
/// The weights of `pool` if wrr deals them evenly, else small ones.
std::vector<std::uint32_t> even_weights(const std::vector<const DestinationFacts*>& pool);

/// Commands that bring a service to a proposal: the scheduler, then the weights that differ.
std::vector<std::string> commands_to(const ServiceFacts& facts, const Proposal& proposal);
/// Who else has to be told, or the next reload undoes it.
std::vector<std::string> lines_to(const ServiceFacts& facts, const Proposal& proposal);
std::string keepalived_line(const std::string& what);
/// "tcp:10.9.9.9:80", as monitord.yaml names a service.
std::string service_word(const ServiceFacts& facts);

}  // namespace lvs::monitorctl
