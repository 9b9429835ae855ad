#pragma once

// What a process holds, and how long a soak is.

#include <malloc.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>

namespace lvs::testing {

/// Bytes that are allocated now. 0 under AddressSanitizer and valgrind, which keep books of their
/// own and tell of leaks themselves.
inline std::size_t allocated_bytes() {
  auto const now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

inline std::ptrdiff_t open_descriptors() {
  std::filesystem::directory_iterator const all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

inline int soak_cycles() {
  auto const* const text = std::getenv("LVS_SOAK_CYCLES");
  return text == nullptr ? 10'000 : std::atoi(text);
}

/// Hash tables and vectors keep room for their largest size so far; 16 bytes lost in each of 9,000
/// cycles are more than this.
inline constexpr std::size_t room = std::size_t{128} * 1024;

}  // namespace lvs::testing
