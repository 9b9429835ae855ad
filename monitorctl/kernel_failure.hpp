#pragma once

// What a command says when the kernel's table cannot be had. Pure.

#include <optional>

#include "ipvs/table.hpp"
#include "ipvs/types.hpp"
#include "monitorctl/printed.hpp"

namespace lvs::monitorctl {

/// Status 3 where the kernel does not answer (no IPVS, no rights, no answer in time), else 1.
/// `asked` is the one service that was asked for.
Printed kernel_failed(const ipvs::Error& error, const std::optional<ipvs::ServiceKey>& asked);

}  // namespace lvs::monitorctl
