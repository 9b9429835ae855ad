#include "realserver-agent/proc/loadavg.hpp"

#include <cstddef>
#include <limits>
#include <optional>

namespace lvs::agent {
namespace {

bool fits(const std::optional<std::uint64_t>& number) {
  return number && *number <= std::numeric_limits<std::uint32_t>::max();
}

/// "1/234" -> 234
std::optional<std::uint64_t> whole_of_fraction(std::string_view word) {
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  return number_from_text(word.substr(slash + 1));
}

}  // namespace

tl::expected<LoadavgFile, ParseError> loadavg_from_text(std::string_view text) {
  std::string_view rest = text;
  const auto load1 = hundredths_from_text(take_word(rest));
  take_word(rest);  // over 5 minutes
  take_word(rest);  // over 15 minutes
  const auto processes = whole_of_fraction(take_word(rest));
  if (!fits(load1) || !fits(processes)) {
    return parse_error("/proc/loadavg", "no load averages", trimmed(text));
  }
  return LoadavgFile{.load1_x100 = static_cast<std::uint32_t>(*load1),
                     .processes = static_cast<std::uint32_t>(*processes)};
}

}  // namespace lvs::agent
