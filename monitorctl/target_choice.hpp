#pragma once

// Which destination of the daemon's a command means. Pure.

#include <optional>
#include <string_view>
#include <tl/expected.hpp>

#include "ipvs/types.hpp"
#include "monitorctl/printed.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

struct Target {
  const ServiceStatus* service{};
  const DestinationStatus* destination{};
};

/// The error names what the daemon knows, or, where the destination is in several services, what to
/// type for each. Refers to `status`.
tl::expected<Target, Printed> chosen_target(const Status& status, std::string_view command,
                                            const std::optional<ipvs::ServiceKey>& service,
                                            const ipvs::DestinationKey& destination);

}  // namespace lvs::monitorctl
