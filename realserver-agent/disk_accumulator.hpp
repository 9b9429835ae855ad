#pragma once

// From the I/O times of single disks to one that only grows.

#include <cstdint>

#include "realserver-agent/proc/diskstats.hpp"

namespace lvs::agent {

class DiskAccumulator {
 public:
  /// Adds what the busiest disk was busy since the last call, in ms, and returns the sum. The first
  /// call starts from the greatest time since boot. The kernel's counter has 32 bits and wraps.
  std::uint64_t add(const DiskTimes& disks);

 private:
  DiskTimes last_{};
  std::uint64_t sum_{};
  bool started_{};
};

}  // namespace lvs::agent
