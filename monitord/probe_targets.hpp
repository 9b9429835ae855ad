#pragma once

// Whom to probe and how, from the table and the configuration. Pure.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ipvs/types.hpp"
#include "monitord/agents.hpp"
#include "monitord/config.hpp"
#include "monitord/reading.hpp"

namespace lvs::monitord {

/// Names a destination of a service, as in ResponseTimes.
using TargetKey = std::pair<ipvs::ServiceKey, ipvs::DestinationKey>;

struct ProbeTarget {
  TargetKey key{};
  Endpoint endpoint{};
  std::string request{};  ///< to be sent once the connection stands; empty: a connection is all
  StatusRange expect{};
  Moment interval{};
  Moment deadline{};

  friend bool operator==(const ProbeTarget&, const ProbeTarget&) = default;
};

/// The destinations of all managed services with a probe. The probe goes to the real server's own
/// address, never to the VIP: behind direct routing and tunnels it has to answer there as well.
/// Left out: weight 0 (nobody asks anything of a drained server), and destinations without a TCP
/// port, which is port 0 (common behind a firewall mark) and UDP and SCTP unless the probe names
/// one.
std::vector<ProbeTarget> targets_from_table(std::span<const ipvs::ServiceEntry> table,
                                            const Config& config);

}  // namespace lvs::monitord
