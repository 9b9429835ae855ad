#include "realserver-agent/proc/net_dev.hpp"

#include <algorithm>
#include <cstddef>

namespace lvs::agent {
namespace {

constexpr std::string_view file_name = "/proc/net/dev";
constexpr unsigned sent_bytes_column = 8;  ///< counted from 0, after the colon

}  // namespace

tl::expected<std::vector<Interface>, ParseError> interfaces_from_text(std::string_view text) {
  std::vector<Interface> interfaces;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    // A name may hold a colon itself (an alias); the counters never do. The heads have a bar.
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) continue;

    std::string_view rest = line.substr(colon + 1);
    const auto received = number_from_text(take_word(rest));
    for (unsigned column = 1; column < sent_bytes_column; ++column)
      take_word(rest);
    const auto sent = number_from_text(take_word(rest));
    const std::string_view name = trimmed(line.substr(0, colon));
    if (!received || !sent || name.empty()) return parse_error(file_name, "no counters", line);

    interfaces.push_back(
        {.name = std::string{name}, .received_bytes = *received, .sent_bytes = *sent});
  }
  return interfaces;
}

agentproto::Network network_from_interfaces(const std::vector<Interface>& interfaces) {
  const bool any_physical = std::ranges::any_of(interfaces, &Interface::physical);
  agentproto::Network sum{};
  for (const Interface& interface : interfaces) {
    if (any_physical ? !interface.physical : interface.name == "lo") continue;
    sum.received_bytes += interface.received_bytes;
    sum.sent_bytes += interface.sent_bytes;
    sum.line_rate_bits += interface.speed_mbit * 1'000'000;
  }
  return sum;
}

}  // namespace lvs::agent
