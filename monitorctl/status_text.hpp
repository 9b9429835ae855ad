#pragma once

// `monitorctl status` and `monitorctl explain` in words. Pure.

#include <string>
#include <string_view>

#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

/// One screen: mode, cycle, table, outcomes, polls, writes, notes. `now` in seconds since the
/// epoch.
std::string status_text(const Status& status, double now);

/// The verdict's numbers written out, from reading to outcome.
std::string explain_text(const ServiceStatus& service, const DestinationStatus& destination);

/// For a service or destination that the daemon does not know: what it does know. `destination`
/// may be empty.
std::string unknown_target_text(const Status& status, std::string_view service,
                                std::string_view destination);

}  // namespace lvs::monitorctl
