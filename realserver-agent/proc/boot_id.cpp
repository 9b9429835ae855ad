#include "realserver-agent/proc/boot_id.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace lvs::agent {

tl::expected<agentproto::BootId, ParseError> boot_id_from_text(std::string_view text) {
  std::string digits{trimmed(text)};
  std::erase(digits, '-');
  agentproto::BootId id{};
  bool good = digits.size() == 2 * id.size();
  for (std::size_t i = 0; good && i < id.size(); ++i) {
    const char* const end = digits.data() + 2 * i + 2;
    const auto [stopped, error] = std::from_chars(end - 2, end, id[i], 16);
    good = error == std::errc{} && stopped == end;
  }
  if (!good) return parse_error("/proc/sys/kernel/random/boot_id", "no UUID", trimmed(text));
  return id;
}

}  // namespace lvs::agent
