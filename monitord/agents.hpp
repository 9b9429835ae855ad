#pragma once

// Which agents there are to ask, from the table and the configuration. Pure.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ipvs/types.hpp"
#include "monitord/config.hpp"

namespace lvs::monitord {

/// Where a datagram comes from or goes to.
struct Endpoint {
  ipvs::IpAddress address{};
  std::uint16_t port{};  ///< host byte order

  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

/// "10.0.0.11:6353", "[fd00::11]:6353".
std::string string_from_endpoint(const Endpoint& endpoint);

struct Agent {
  ipvs::IpAddress server{};  ///< of its destinations: the key of Readings
  Endpoint endpoint{};       ///< where it listens
  std::string name{};        ///< what it must answer to, and what its key is made from

  friend bool operator==(const Agent&, const Agent&) = default;
};

/// The agents of all managed services: those of the services list, else those whose scheduler uses
/// weights. Each real server once, however many destinations it has, in the order of addresses.
std::vector<Agent> agents_from_table(std::span<const ipvs::ServiceEntry> table,
                                     const Config& config);

}  // namespace lvs::monitord
