#pragma once

// /proc/meminfo and /proc/zoneinfo (proc(5)) -> memory that programs can have.

#include <cstdint>
#include <optional>
#include <string_view>

#include <tl/expected.hpp>

#include "agentproto/sample.hpp"
#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// The lines that are used, in kB (the HugePages_ ones are counts).
struct MeminfoFile {
  std::uint64_t mem_total{};
  std::optional<std::uint64_t> mem_free{}, mem_available{}, buffers{}, cached{}, shmem{},
      s_reclaimable{}, active_file{}, inactive_file{}, swap_total{}, swap_free{}, hugetlb{},
      hugepages_total{}, hugepage_size{};

  friend bool operator==(const MeminfoFile&, const MeminfoFile&) = default;
};

tl::expected<MeminfoFile, ParseError> meminfo_from_text(std::string_view text);

/// The kernel's totalreserve_pages (calculate_totalreserve_pages, mm/page_alloc.c): per zone the
/// high watermark and the greatest lowmem protection, at most what the zone manages.
std::uint64_t reserve_pages_from_zoneinfo(std::string_view text);

/// * The huge page pool leaves the total: it is never "available", whether used or not.
/// * Without MemAvailable (before Linux 3.14, some containers): what the kernel would count, less
///   `reserve_kb`. Shared memory is cached but cannot be given back.
/// Fails when what is available cannot be told or is more than the total.
tl::expected<agentproto::Memory, ParseError> memory_from_meminfo(const MeminfoFile& file,
                                                                 std::uint64_t reserve_kb);

}  // namespace lvs::agent
