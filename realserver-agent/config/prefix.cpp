#include "realserver-agent/config/prefix.hpp"

#include <algorithm>
#include <cstddef>

#include "realserver-agent/proc/text.hpp"

namespace lvs::agent {

std::optional<Prefix> prefix_from_string(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto address = ipvs::ip_address_from_string(text.substr(0, slash));
  if (!address) return std::nullopt;
  const unsigned longest = address->family == ipvs::Family::inet ? 32 : 128;
  if (slash == text.size()) return Prefix{*address, longest};

  const auto length = number_from_text(text.substr(slash + 1));
  if (!length || *length > longest) return std::nullopt;
  return Prefix{*address, static_cast<unsigned>(*length)};
}

bool contains(const Prefix& prefix, const ipvs::IpAddress& address) {
  if (prefix.address.family != address.family) return false;
  const std::size_t whole = prefix.length / 8;
  const auto& bytes = prefix.address.bytes;
  if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                  address.bytes.begin())) {
    return false;
  }
  const unsigned rest = prefix.length % 8;
  if (rest == 0) return true;
  return ((bytes[whole] ^ address.bytes[whole]) >> (8 - rest)) == 0;
}

bool contains(const std::vector<Prefix>& prefixes, const ipvs::IpAddress& address) {
  return std::ranges::any_of(
      prefixes, [&address](const Prefix& prefix) { return contains(prefix, address); });
}

}  // namespace lvs::agent
