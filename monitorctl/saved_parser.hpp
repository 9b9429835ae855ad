#pragma once

// A saved table: from the lines of `ipvsadm -Sn` or `monitorctl save` to values. Pure.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "ipvs/types.hpp"

namespace lvs::monitorctl {

/// The table that `ipvsadm -R` of version 1.31 would make of it, in the order of the file, with its
/// defaults and with its rules: what it stops at is an error. The error is every problem with line
/// and column. `file` is a name for messages.
tl::expected<std::vector<ipvs::ServiceEntry>, std::string> table_from_saved(
    std::string text, const std::string& file);

}  // namespace lvs::monitorctl
