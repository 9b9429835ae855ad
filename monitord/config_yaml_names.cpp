// Addresses, services and destinations in monitord.yaml, and what people write instead of them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ipvs/types.hpp"
#include "monitord/config_yaml_fields.hpp"
#include "strictyaml/words.hpp"

namespace lvs::monitord {

using strictyaml::Node;

namespace {

std::string did_you_mean(const std::string& text) {
  return "did you mean " + strictyaml::in_quotes(text) + "?";
}

bool has_letter_beyond_hex(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '_';
  });
}

/// "010.0.0.011" -> "10.0.0.11"; empty when that is not what is wrong.
std::string without_leading_zeros(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_part = i == 0 || text[i - 1] == '.';
    const bool digit_follows = i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
    const bool dropped =
        text[i] == '0' && digit_follows && (starts_part || result.empty() || result.back() == '.');
    if (!dropped) result += text[i];
  }
  return ipvs::ip_address_from_string(result) ? result : std::string{};
}

constexpr auto no_zone =
    "addresses with a zone (%) cannot be used, IPVS knows none: write a global or unique local "
    "one, "
    "like 2001:db8::11 or fd00::11";

bool has_zone(std::string_view text) {
  return text.find('%') != std::string_view::npos;
}

std::string hint_for_address(const std::string& text) {
  if (const auto destination = ipvs::destination_key_from_string(text)) {
    return "only the address stands here, without the port: " +
           ipvs::string_from_ip_address(destination->address);
  }
  if (has_zone(text)) return no_zone;
  if (text.starts_with('[') && text.ends_with(']')) return "write it without brackets";
  if (text.find('/') != std::string::npos) return "one server has one address, without a prefix";
  if (const auto fixed = without_leading_zeros(text); !fixed.empty()) return did_you_mean(fixed);
  if (has_letter_beyond_hex(text)) return "names are not resolved: write the address";
  return "an address is written like 10.0.0.11 or 2001:db8::11";
}

bool is_ipv4_in_ipv6(const ipvs::IpAddress& address) {
  static constexpr std::array<std::uint8_t, 12> prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return address.family == ipvs::Family::inet6 &&
         std::equal(prefix.begin(), prefix.end(), address.bytes.begin());
}

/// Why this is no address of one machine; empty when it is. The kernel refuses these classes too.
std::string_view class_fault(const ipvs::IpAddress& address) {
  const auto& bytes = address.bytes;
  const bool inet6 = address.family == ipvs::Family::inet6;
  if (std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b == 0; })) {
    return "is the unspecified address";
  }
  if (inet6 ? bytes[0] == 0xff : bytes[0] >= 224) return "is no address of one machine";
  if (inet6 && bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80U) {
    return "is a link-local address, which needs a zone that IPVS does not know";
  }
  return {};
}

std::string hint_for_service(const std::string& text) {
  if (has_zone(text)) return no_zone;
  for (const std::string protocol : {"tcp:", "udp:", "sctp:"}) {
    if (ipvs::service_key_from_string(protocol + text)) return did_you_mean("tcp:" + text);
    const std::string_view rest =
        std::string_view{text}.substr(std::min(protocol.size(), text.size()));
    if (!text.starts_with(protocol)) continue;
    if (ipvs::ip_address_from_string(rest))
      return "the port is missing, or the brackets of an IPv6 "
             "address: tcp:[2001:db8::9]:80";
    if (has_letter_beyond_hex(rest)) return "names are not resolved: write the address";
  }
  if (text.starts_with("pool")) return "pools without IPVS are declared under pools:";
  if (text.starts_with("fwm")) return "a mark is a number from 1 to 4294967295: fwm:7, fwm6:7";
  return "a service is written tcp:10.9.9.9:80, udp:[2001:db8::9]:53, sctp:…, fwm:7 or fwm6:7";
}

}  // namespace

std::optional<ipvs::IpAddress> address_from_node(const Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const auto address = ipvs::ip_address_from_string(*text);
  if (!address) {
    node.refuse_value("is no address", hint_for_address(*text));
    return std::nullopt;
  }
  if (is_ipv4_in_ipv6(*address)) {
    ipvs::IpAddress plain{};
    std::copy_n(address->bytes.begin() + 12, 4, plain.bytes.begin());
    node.refuse_value("is an IPv4 address written as IPv6",
                      did_you_mean(ipvs::string_from_ip_address(plain)));
    return std::nullopt;
  }
  if (const auto fault = class_fault(*address); !fault.empty()) {
    node.refuse_value(fault);
    return std::nullopt;
  }
  return address;
}

bool is_loopback(const ipvs::IpAddress& address) {
  if (address.family == ipvs::Family::inet) return address.bytes[0] == 127;
  constexpr std::array<std::uint8_t, 16> loopback{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return address.bytes == loopback;
}

std::optional<ipvs::ServiceKey> service_from_node(const Node& node) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const auto key = ipvs::service_key_from_string(*text);
  if (!key) node.refuse_value("is no service", hint_for_service(*text));
  if (!key || !key->is_pool()) return key;
  node.refuse_value("is no service of the kernel's table", "declare it under pools:");
  return std::nullopt;
}

std::optional<ipvs::DestinationKey> destination_from_node(
    const Node& node, const std::optional<ipvs::ServiceKey>& service) {
  const auto text = node.as_string();
  if (!text) return std::nullopt;
  const auto key = ipvs::destination_key_from_string(*text);
  if (!key) {
    std::string hint = "a destination is written 10.0.0.11:80 or [2001:db8::11]:80";
    if (has_zone(*text)) {
      hint = no_zone;
    } else if (const auto address = ipvs::ip_address_from_string(*text);
               address && service && address->family == ipvs::Family::inet) {
      hint = did_you_mean(ipvs::string_from_destination_key({*address, service->port}));
    } else if (has_letter_beyond_hex(*text)) {
      hint = "names are not resolved: write address and port as numbers";
    }
    node.refuse_value("is no destination", std::move(hint));
    return std::nullopt;
  }
  if (const auto fault = class_fault(key->address); !fault.empty()) {
    node.refuse_value(fault);
    return std::nullopt;
  }
  return key;
}

}  // namespace lvs::monitord
