#pragma once

// Reads a Snapshot. The only place that knows where the kernel's files are.

#include <string>

#include "realserver-agent/root.hpp"
#include "realserver-agent/snapshot.hpp"

namespace lvs::agent {

/// Never fails as a whole: what cannot be read or parsed is a problem in the result. Below a root
/// other than "/" the moment is proc/uptime, else CLOCK_BOOTTIME. `drain_file`, absolute, exists:
/// the operator wants the real server drained; "" for none.
Snapshot read_snapshot(const Root& root, const std::string& drain_file);

}  // namespace lvs::agent
