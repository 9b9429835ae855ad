// How addresses, services and destinations are written. Strict on purpose: what is accepted here
// decides which kernel entry is written to, so no guessing (no names, no octal, no zones).

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "ipvs/types.hpp"

namespace lvs::ipvs {
namespace {

/// Decimal digits only; no sign, no blank, no leading zero (inet_aton would read octal).
template <typename Number>
std::optional<Number> number_from_string(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  Number value{};
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// "ADDRESS:PORT", IPv6 in brackets; brackets round IPv4 are refused.
std::optional<DestinationKey> endpoint_from_string(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  auto host = text.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);

  const auto address = ip_address_from_string(host);
  const auto port = number_from_string<std::uint16_t>(text.substr(colon + 1));
  if (!address || !port || bracketed != (address->family == Family::inet6)) return std::nullopt;
  return DestinationKey{*address, *port};
}

std::string string_from_endpoint(const IpAddress& address, std::uint16_t port) {
  auto text = string_from_ip_address(address);
  if (address.family == Family::inet6) text.insert(0, 1, '[').append(1, ']');
  return text.append(1, ':').append(std::to_string(port));
}

struct ProtocolName {
  std::string_view name;
  Protocol protocol;
};
constexpr std::array protocol_names{ProtocolName{"tcp", Protocol::tcp},
                                    ProtocolName{"udp", Protocol::udp},
                                    ProtocolName{"sctp", Protocol::sctp}};

/// The kernel stores any protocol number over netlink; one without a name is shown as its number.
std::string string_from_protocol(Protocol protocol) {
  for (const auto& entry : protocol_names) {
    if (entry.protocol == protocol) return std::string(entry.name);
  }
  return std::to_string(static_cast<std::uint16_t>(protocol));
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::optional<ServiceKey> pool_key(std::string_view text) {
  const auto name = PoolName::from_string(text);
  if (!name) return std::nullopt;
  return ServiceKey{.pool = *name};
}

/// By name, or by its number where it has none.
std::optional<Protocol> protocol_from_string(std::string_view text) {
  for (const auto& entry : protocol_names) {
    if (entry.name == text) return entry.protocol;
  }
  const auto number = number_from_string<std::uint16_t>(text);
  if (!number || *number == 0) return std::nullopt;
  const auto protocol = static_cast<Protocol>(*number);
  if (string_from_protocol(protocol) != text) return std::nullopt;
  return protocol;
}

std::optional<ServiceKey> fwmark_key(Family family, std::string_view text) {
  const auto mark = number_from_string<std::uint32_t>(text);
  if (!mark || *mark == 0) return std::nullopt;  // 0 means "not a fwmark service" to the kernel
  return ServiceKey{.family = family, .fwmark = *mark};
}

}  // namespace

std::optional<IpAddress> ip_address_from_string(std::string_view text) {
  if (text.size() >= INET6_ADDRSTRLEN || text.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string terminated(text);
  IpAddress address{};
  if (inet_pton(AF_INET, terminated.c_str(), address.bytes.data()) == 1) return address;
  address = IpAddress{.family = Family::inet6};
  if (inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

std::string string_from_ip_address(const IpAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  // Cannot fail: both families are known and the buffer holds the longest text.
  inet_ntop(static_cast<int>(address.family), address.bytes.data(), text.data(), text.size());
  return text.data();
}

std::optional<PoolName> PoolName::from_string(std::string_view text) {
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
  };
  if (text.empty() || text.size() > longest || !is_letter_or_digit(text.front()) ||
      !std::all_of(text.begin(), text.end(), fits)) {
    return std::nullopt;
  }
  PoolName name;
  std::copy(text.begin(), text.end(), name.bytes_.begin());
  return name;
}

std::string string_from_service_key(const ServiceKey& key) {
  if (key.is_pool()) return "pool " + std::string(key.pool.text());
  if (key.is_fwmark()) {
    return (key.family == Family::inet6 ? "fwm6 " : "fwm ") + std::to_string(key.fwmark);
  }
  return string_from_protocol(key.protocol) + " " + string_from_endpoint(key.address, key.port);
}

std::string string_from_destination_key(const DestinationKey& key) {
  return string_from_endpoint(key.address, key.port);
}

std::optional<ServiceKey> service_key_from_string(std::string_view text) {
  const auto separator = text.find_first_of(": ");
  if (separator == std::string_view::npos) return std::nullopt;
  const auto word = text.substr(0, separator);
  const auto rest = text.substr(separator + 1);

  if (word == "fwm") return fwmark_key(Family::inet, rest);
  if (word == "fwm6") return fwmark_key(Family::inet6, rest);
  if (word == "pool") return pool_key(rest);
  const auto protocol = protocol_from_string(word);
  const auto endpoint = endpoint_from_string(rest);
  if (!protocol || !endpoint) return std::nullopt;
  return ServiceKey{.family = endpoint->address.family,
                    .protocol = *protocol,
                    .address = endpoint->address,
                    .port = endpoint->port};
}

std::optional<DestinationKey> destination_key_from_string(std::string_view text) {
  return endpoint_from_string(text);
}

std::string_view string_from_forwarding_method(ForwardingMethod method) {
  switch (method) {
    case ForwardingMethod::masquerade:
      return "Masq";
    case ForwardingMethod::local_node:
      return "Local";
    case ForwardingMethod::tunnel:
      return "Tunnel";
    case ForwardingMethod::direct_route:
      return "Route";
    case ForwardingMethod::bypass:
      return "Bypass";
  }
  return "(null)";
}

}  // namespace lvs::ipvs
