#pragma once

// What `monitorctl save` and `monitorctl diff` print of what was read. Pure.

#include <span>
#include <string>

#include "monitorctl/kernel_view.hpp"
#include "monitorctl/printed.hpp"
#include "monitorctl/table_difference.hpp"

namespace lvs::monitorctl {

/// Services in the order given. Fails where the table is from /proc, which has no thresholds.
/// Status 1 when something is left out; what that is, and what comes back as another one, is on
/// stderr.
Printed printed_save(const KernelView& kernel);

/// Status 0 without differences, 1 with some, as diff(1). `from` and `to` name the tables.
Printed printed_diff(std::span<const Difference> all, const std::string& from,
                     const std::string& to);

/// For a table that is from /proc.
inline constexpr auto incomplete_table =
    "/proc/net/ip_vs has no thresholds, tunnels and scheduler flags: this needs CAP_NET_ADMIN "
    "(root)";

}  // namespace lvs::monitorctl
