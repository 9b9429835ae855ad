#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ipvs/types.hpp"
#include "monitorctl/kernel_view.hpp"
#include "monitorctl/status_document.hpp"

namespace lvs::monitorctl::testing {

/// A file below tests/golden/; throws when it is not there.
std::string golden(const std::string& name);

ipvs::ServiceKey service_key(std::string_view text);
ipvs::DestinationKey destination_key(std::string_view text);

/// The table whose listings are in tests/golden/ipvsadm/, destinations newest first.
std::vector<ipvs::ServiceEntry> captured_table();
KernelView captured_view();

/// What a daemon says of that table: one destination in order, one silent, the others unknown.
Status some_status();

void write_text(const std::string& path, std::string_view text);
std::string text_of(const std::string& path);

}  // namespace lvs::monitorctl::testing
