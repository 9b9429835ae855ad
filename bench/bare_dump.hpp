#pragma once

// The floor under every reading of the table: the same dumps, nothing decoded.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ipvs/attributes.hpp"
#include "ipvs/types.hpp"

namespace lvs::bench {

/// A plain generic netlink socket that waits in the kernel: no poll, no deadline, no clock. It
/// finds where a message ends and whether it is the last one, and looks at nothing else.
///
/// Throws std::runtime_error for whatever goes wrong.
class BareDump {
 public:
  /// Asks for all services, and for the destinations of each of these.
  explicit BareDump(std::span<const ipvs::ServiceKey> services);
  BareDump(const BareDump&) = delete;
  BareDump& operator=(const BareDump&) = delete;
  ~BareDump();

  /// All of the dumps, one after the other; how many entries came.
  std::size_t entries();

 private:
  std::size_t entries_of(const ipvs::Bytes& request);

  int socket_;
  std::vector<ipvs::Bytes> requests_{};  ///< whole datagrams, made beforehand
  std::vector<std::byte> buffer_;
};

}  // namespace lvs::bench
