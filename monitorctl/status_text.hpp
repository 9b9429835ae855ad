#pragma once

// `monitorctl status` and `monitorctl explain` in words. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

/// One screen: mode, cycle, table, outcomes, polls, writes, notes. `now` in seconds since the
/// epoch.
std::string status_text(const Status& status, double now);

/// The verdict's numbers written out, from reading to outcome.
std::string explain_text(const ServiceStatus& service, const DestinationStatus& destination);

/// How the strategy came to the target, step by step, each with its label: what it wanted, what
/// relief and slow start left of it, the scale of the pool's weights, the integer. Empty where no
/// strategy was asked. The sums are those of the service's other destinations.
std::vector<std::pair<std::string, std::string>> way_to_target(
    const ServiceStatus& service, const DestinationStatus& destination);

/// For a service or destination that the daemon does not know: what it does know. `destination`
/// may be empty.
std::string unknown_target_text(const Status& status, std::string_view service,
                                std::string_view destination);
/// For a destination that no service of the daemon has: which it knows.
std::string unknown_destination_text(const Status& status, std::string_view destination);
/// For a destination that several services have: what to type after `monitorctl` for each of them,
/// with `command` "explain" or "pin".
std::string which_service_text(const std::vector<const ServiceStatus*>& services,
                               std::string_view command, std::string_view destination);
/// All services with that destination; of one service at most, where it is named.
std::vector<const ServiceStatus*> services_with(const Status& status,
                                                const std::string& destination,
                                                const std::optional<std::string>& service);
/// Null when the service has none of that name.
const DestinationStatus* destination_of(const ServiceStatus& service, std::string_view destination);

}  // namespace lvs::monitorctl
