#pragma once

// One reading as JSON, for people and scripts.

#include <string>
#include <vector>

#include "agentproto/reading.hpp"
#include "agentproto/sample.hpp"
#include "realserver-agent/snapshot.hpp"

namespace lvs::agent {

/// What `realserver-agent reading` prints: an object of several lines. `cpu_busy` and
/// `mem_available` are fractions or null; `reason` says why, and is there only then. The further
/// measures follow under their names, null where unknown.
std::string json_from_reading(const agentproto::Sample& before, const agentproto::Sample& after,
                              const std::vector<Problem>& problems);

}  // namespace lvs::agent
