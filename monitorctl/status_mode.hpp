#pragma once

// What a monitord is up to as a whole, out of its status document. Pure.

#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

enum class StatusMode { degraded, starting, dry_run, standby, paused, active };

/// The first that holds. Standby and paused: all that it steers is.
StatusMode mode_of(const Status& status);

}  // namespace lvs::monitorctl
