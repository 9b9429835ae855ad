#pragma once

// `monitorctl list -o json` and `-o csv`: everything the kernel and the daemon know. Pure.
// Keys are those of the status document; "current", "active" and "inactive" are the kernel's of
// this moment. Unknown is null, in CSV empty.

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "monitorctl/kernel_view.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl {

/// {"ipvs":{"version":"1.2.1","table_size":4096},"monitord":{"version":…,"cycle":…,"dry_run":…}
/// or null,"services":[{"service":"tcp 10.9.9.9:80","scheduler":"wrr","scheduler_flags":null,
/// "one_packet":false,"persistence":null or {"timeout_s":360,"netmask":"255.255.255.0",
/// "engine":null},"statistics":{…},"destinations":[{"destination":"10.0.0.11:80",…,
/// "persistent":0,"upper_threshold":0,"lower_threshold":0,"tunnel":null,"statistics":{…}}]}]}
boost::json::object list_json(const KernelView& kernel, const std::optional<Status>& status);

/// A heading and one line per destination (RFC 4180, lines end in \n alone).
std::string list_csv(const KernelView& kernel, const std::optional<Status>& status);

}  // namespace lvs::monitorctl
