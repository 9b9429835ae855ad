#pragma once

// /proc/pressure/{cpu,memory,io} (Documentation/accounting/psi.rst).

#include <cstdint>
#include <string_view>

#include <tl/expected.hpp>

#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

/// Stall time since boot in microseconds.
struct PressureFile {
  std::uint64_t some_us{};
  std::uint64_t full_us{};  ///< 0 where the kernel has no such line (cpu before Linux 5.13)

  friend bool operator==(const PressureFile&, const PressureFile&) = default;
};

/// `file` names the file in errors.
tl::expected<PressureFile, ParseError> pressure_from_text(std::string_view file,
                                                          std::string_view text);

}  // namespace lvs::agent
