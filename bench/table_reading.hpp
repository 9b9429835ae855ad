#pragma once

#include <cstddef>
#include <vector>

#include "bench/measured_row.hpp"
#include "bench/table_rules.hpp"

namespace lvs::bench {

/// Row 2 of bench/run: builds a table of this shape in the kernel and reads all of it by
/// NetlinkTable::services(), by `ipvsadm -Ln` and by a dump that decodes nothing, one after the
/// other in each of `rounds` rounds. Throws std::runtime_error, also where a reading is not whole.
std::vector<MeasuredRow> reading_rows(const TableShape& shape, std::size_t rounds);

}  // namespace lvs::bench
