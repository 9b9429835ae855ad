#pragma once

// Reads the limits of the container that a root directory belongs to.

#include <cstdint>
#include <optional>

#include <tl/expected.hpp>

#include "agentproto/sample.hpp"
#include "realserver-agent/cgroup/cgroup.hpp"
#include "realserver-agent/proc/text.hpp"
#include "realserver-agent/root.hpp"

namespace lvs::agent {

/// CPU limit and use. Zeros: no limit. Fails when there is a limit, but it or the use is unknown.
struct CpuLimit {
  std::uint64_t usage_us{}, cpus_x1000{};
};
tl::expected<CpuLimit, ParseError> read_cpu_limit(const Root& root, const Machine& machine);

struct MemoryLimit {
  std::uint64_t limit_kb{}, used_kb{};
};
tl::expected<MemoryLimit, ParseError> read_memory_limit(const Root& root, const Machine& machine);

}  // namespace lvs::agent
