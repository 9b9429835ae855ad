#pragma once

// The least that a reading of a real server can cost: two files of /proc, kept open, and a parse of
// the numbers that C and M are made of.

#include <cstdint>
#include <optional>
#include <string_view>

#include "plainfile/file_descriptor.hpp"

namespace lvs::bench {

/// What C and M are made of.
struct FloorReading {
  std::uint64_t busy{}, not_busy{};          ///< ticks of all CPUs, /proc/stat
  std::uint64_t total_kb{}, available_kb{};  ///< /proc/meminfo

  friend bool operator==(const FloorReading&, const FloorReading&) = default;
};

/// From the texts of /proc/stat and /proc/meminfo; empty where something is missing. Pure.
std::optional<FloorReading> floor_from_texts(std::string_view stat, std::string_view meminfo);

class AgentFloor {
 public:
  /// Throws std::system_error where /proc cannot be read.
  AgentFloor();

  /// Throws std::runtime_error where it is not as it should be.
  [[nodiscard]] FloorReading read() const;

 private:
  FileDescriptor stat_, meminfo_;
};

}  // namespace lvs::bench
