#pragma once

// A director as page and metrics see it.

#include <cstdint>
#include <string_view>

#include "monitord/published.hpp"

namespace lvs::monitord::testing {

ipvs::ServiceKey service_key(std::string_view text);
ipvs::DestinationKey destination_key(std::string_view text);
DestinationId id(std::string_view service, std::string_view destination);

/// One with a fresh reading that is right as it is.
Verdict verdict(std::string_view service, std::string_view destination);

/// Cycle `number` of a director with three services: one of four destinations that stand
/// differently, one by mark, one of IPv6. Load and weights move with the number.
CycleReport report(std::uint64_t number);

/// What is known after that many cycles, 2 s apart.
Published published(std::uint64_t cycles);

}  // namespace lvs::monitord::testing
