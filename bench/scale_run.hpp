#pragma once

// Runs the daemon itself, with everything but the kernel's table, and measures what it costs.

#include <chrono>
#include <cstddef>
#include <string>
#include <tl/expected.hpp>

#include "bench/scale_row.hpp"

namespace lvs::bench {

struct ScaleOptions {
  double seconds{30};   ///< to be measured; whole cycles, so somewhat more
  unsigned warm_up{3};  ///< cycles before that, at least 1
  std::chrono::nanoseconds interval{std::chrono::seconds{2}};
  double swing{0.3};              ///< see sample_of()
  std::size_t reader_bytes{};     ///< per second that a slow reader of the page takes; 0: nobody
  std::string log_level{"info"};  ///< lines are made and thrown away
  std::string responder{};        ///< path of the program
};

/// Once per process: memory is measured, and what was freed counts. The error is one line.
tl::expected<ScaleRow, std::string> measured_scale(std::size_t servers,
                                                   const ScaleOptions& options);

}  // namespace lvs::bench
