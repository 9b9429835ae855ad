#pragma once

// What `monitorctl list` prints of what was read. Pure.

#include <optional>

#include "monitorctl/commands.hpp"
#include "monitorctl/kernel_view.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

/// Services in the order given. Fails where the columns that were asked for are not in `kernel`.
Printed printed_list(const ListOptions& options, const KernelView& kernel,
                     const std::optional<Status>& status);

}  // namespace lvs::monitorctl
