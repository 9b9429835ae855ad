#pragma once

// What some looks at a service say together, and what the daemon knows of it. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ipvs/types.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

/// One look at a service; `at_s` counts from the first one on.
struct ServiceReading {
  double at_s{};
  ipvs::ServiceEntry entry{};
};

struct DestinationFacts {
  std::string name{};               ///< "10.0.0.11:80"
  ipvs::Destination destination{};  ///< as seen last
  std::size_t place{};              ///< in the kernel's list, the newest first
  bool weight_changed{};            ///< between two looks
  double active{}, inactive{};      ///< means over the looks
  std::uint64_t most{};             ///< active and inactive together, the highest of the looks
  double quiet{};                   ///< share of the looks with at most one active connection
  /// Within ServiceFacts::counted_s; empty: unknown.
  std::optional<std::uint64_t> new_connections{};
  std::optional<double> base{}, capacity{}, cpu_busy{};  ///< of the daemon; > 0 but for the last
};

struct ServiceFacts {
  std::string name{};  ///< "tcp 10.9.9.9:80"
  ipvs::Service service{};
  bool complete{true};  ///< false: from /proc, without counters, thresholds and templates
  double watched_s{};
  double counted_s{};  ///< between the two ticks of the kernel's counters that are furthest apart
  bool open_moved{};   ///< the number of active connections was not the same in all looks
  double active{}, inactive{};           ///< of all destinations, means over the looks
  std::optional<double> rate{};          ///< new connections per second
  std::optional<double> connection_s{};  ///< mean time that a connection is active (Little's law)
  bool steered{};                        ///< the daemon writes this service's weights
  std::vector<DestinationFacts> destinations{};  ///< by address and port
};

/// `readings` are of one service, in their order, at least one; the last one says who is in it.
/// `status` may be null.
ServiceFacts facts_from(std::span<const ServiceReading> readings, bool complete,
                        const Status* status);

/// Those with a weight above 0: the pool that the scheduler chooses from. Refers to `facts`.
std::vector<const DestinationFacts*> dealt_to(const ServiceFacts& facts);
std::vector<std::uint32_t> weights_of(const std::vector<const DestinationFacts*>& pool);
/// `weights` of `pool`, in the kernel's list order.
std::vector<std::uint32_t> in_list_order(const std::vector<const DestinationFacts*>& pool,
                                         const std::vector<std::uint32_t>& weights);

bool is_persistent(const ipvs::Service& service);
bool is_udp(const ipvs::Service& service);

}  // namespace lvs::monitorctl
