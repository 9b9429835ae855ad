#pragma once

// What the measurements of the kernel's table share: one to measure with, and how it is read.

#include <chrono>
#include <cstddef>
#include <vector>

#include "bench/table_rules.hpp"
#include "ipvs/netlink_table.hpp"

namespace lvs::bench {

inline constexpr std::chrono::seconds patience{60};  ///< for a whole table on a busy machine

/// Puts this table in the place of the kernel's. Throws std::runtime_error.
void build_table(const TableShape& shape);

/// The whole table. Throws std::runtime_error where it cannot be read.
std::vector<ipvs::ServiceEntry> read_table(ipvs::NetlinkTable& table);

std::size_t destinations_in(const std::vector<ipvs::ServiceEntry>& entries);

}  // namespace lvs::bench
