#pragma once

// Which server a question for an address is answered with. Pure: chance is an argument.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "ipvs/types.hpp"
#include "monitord/config.hpp"
#include "monitord/outputs/output.hpp"

namespace lvs::monitord {

/// Index among `servers`. Nothing where none of this family has a weight above 0. `chance` is any
/// number, all of them equally likely.
std::optional<std::size_t> chosen_server(std::span<const OutputServer> servers, ipvs::Family family,
                                         DnsChoice choice, std::uint64_t chance);

}  // namespace lvs::monitord
