#pragma once

// A measurement of monitord's cost as JSON, from the process that made it to the one that asked,
// and for programs. Pure.

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "bench/scale_row.hpp"

namespace lvs::bench {

/// {"servers":10000,"seconds":30.0,"cpu_share":0.05,…,"cycle_ms":{"p50":…,"p99":…,"max":…},…}
boost::json::object object_from_scale_row(const ScaleRow& row);

/// The error is one line. Unknown members are left alone.
tl::expected<ScaleRow, std::string> scale_row_from_json(std::string_view text);

}  // namespace lvs::bench
