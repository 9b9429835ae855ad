#pragma once

// What `monitorctl simulate -o json` printed, read again. Pure.

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "clustersim/summary.hpp"

namespace lvs::bench {

/// The error is one line. Unknown members are left alone.
tl::expected<std::vector<clustersim::Summary>, std::string> summaries_from_json(
    std::string_view text);

}  // namespace lvs::bench
