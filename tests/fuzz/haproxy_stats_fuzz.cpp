// Any text as HAProxy's answer to show stat: an error of one line, or rows of servers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "monitord/outputs/haproxy_stats.hpp"
#include "require.hpp"

using namespace lvs::monitord;
using lvs::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto stats = stats_from_csv(text);
  if (!stats) {
    require(!stats.error().empty() && stats.error().find('\n') == std::string_view::npos);
    return 0;
  }
  require(stats->size() <= static_cast<std::size_t>(std::ranges::count(text, '\n')));
  for (const auto& one : *stats) {
    require(one.server != "FRONTEND" && one.server != "BACKEND");
    require(one.backend.find('\n') == std::string_view::npos);
  }
  return 0;
}
