#include "monitord/probe_log.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

namespace lvs::monitord {

std::vector<LogLine> lines_from_probe_faults(
    const ProbeCounters& logged, const ProbeCounters& now,
    const std::map<std::string_view, std::string>& last_at) {
  using Kind = std::pair<std::string_view, std::uint64_t ProbeCounters::*>;
  constexpr std::array<Kind, 5> kinds{{{"timeout", &ProbeCounters::timeouts},
                                       {"refused", &ProbeCounters::refused},
                                       {"unreachable", &ProbeCounters::unreachable},
                                       {"bad_reply", &ProbeCounters::bad_reply},
                                       {"bad_status", &ProbeCounters::bad_status}}};
  std::vector<LogLine> lines;
  for (const auto& [kind, counter] : kinds) {
    const auto count = now.*counter - logged.*counter;
    if (count == 0) continue;
    const auto at = last_at.find(kind);
    lines.push_back({LogLevel::warning,
                     "probe_fault",
                     {{"kind", std::string(kind)},
                      {"count", fmt::format("{}", count)},
                      {"last_at", at == last_at.end() ? "-" : at->second}}});
  }
  return lines;
}

}  // namespace lvs::monitord
