#pragma once

// `monitorctl list --wide`: kernel and daemon side by side, one line per destination. Pure.

#include <optional>
#include <string>

#include "monitorctl/kernel_view.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

/// "monitord 0.1.0 (dry run), cycle 4711"
std::string daemon_line(const Status& status);

/// Headings and services, 127 columns with ordinary IPv4 addresses. Weight, Active and InActConn
/// are the kernel's of this moment, the rest is the daemon's last cycle; "-" is unknown.
std::string wide_table(const KernelView& kernel, const std::optional<Status>& status);

}  // namespace lvs::monitorctl
