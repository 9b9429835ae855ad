#pragma once

#include <malloc.h>

namespace lvs::monitord {

/// Every cycle frees what the one before took, some kilobytes a destination, and takes as much
/// again. By default the C library hands that back to the kernel in between, whose page faults then
/// cost more than the reading of the table: it is told to keep it (mallopt(3)). Large documents,
/// which are rare, are still given back. Call it first thing in main().
inline void keep_freed_memory() {
  constexpr int kept_bytes = 64 << 20;
  constexpr int document_bytes = 8 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kept_bytes);
  ::mallopt(M_MMAP_THRESHOLD, document_bytes);
}

}  // namespace lvs::monitord
