#include "realserver-agent/proc/uptime.hpp"

#include <limits>

namespace lvs::agent {

tl::expected<std::uint64_t, ParseError> uptime_ns_from_text(std::string_view text) {
  constexpr std::uint64_t ns_per_hundredth = 10'000'000;
  std::string_view rest = text;
  const auto hundredths = hundredths_from_text(take_word(rest));
  if (!hundredths || *hundredths > std::numeric_limits<std::uint64_t>::max() / ns_per_hundredth) {
    return parse_error("/proc/uptime", "no number of seconds", trimmed(text));
  }
  return *hundredths * ns_per_hundredth;
}

}  // namespace lvs::agent
