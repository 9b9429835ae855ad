#pragma once

// /proc/loadavg (proc(5)).

#include <cstdint>
#include <string_view>

#include <tl/expected.hpp>

#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

struct LoadavgFile {
  std::uint32_t load1_x100{};
  /// Processes and threads, as sysinfo(2) counts them. Counting /proc/[0-9]* would give the
  /// agent's own only, where /proc is mounted with hidepid (ProtectProc=invisible).
  std::uint32_t processes{};

  friend bool operator==(const LoadavgFile&, const LoadavgFile&) = default;
};

tl::expected<LoadavgFile, ParseError> loadavg_from_text(std::string_view text);

}  // namespace lvs::agent
