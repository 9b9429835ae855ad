#include "monitorctl/proc_ip_vs.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace lvs::monitorctl {
namespace {

template <typename Number>
std::optional<Number> number_from_text(std::string_view text, int base) {
  Number number{};
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    const auto end = line.find(' ', begin);
    words.push_back(line.substr(begin, end - begin));
    if (end == std::string_view::npos) return words;
    line.remove_prefix(end);
  }
}

/// "0A090909:0050" or "[fd00:0000:…:0009]:01BB".
std::optional<ipvs::DestinationKey> endpoint_from_hex(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || text.size() - colon != 5) return std::nullopt;
  const auto port = number_from_text<std::uint16_t>(text.substr(colon + 1), 16);
  auto host = text.substr(0, colon);
  if (!port) return std::nullopt;
  if (host.starts_with('[') && host.ends_with(']')) {
    const auto address = ipvs::ip_address_from_string(host.substr(1, host.size() - 2));
    if (!address || address->family != ipvs::Family::inet6) return std::nullopt;
    return ipvs::DestinationKey{*address, *port};
  }
  const auto word = number_from_text<std::uint32_t>(host, 16);
  if (!word || host.size() != 8) return std::nullopt;
  ipvs::DestinationKey key;
  key.port = *port;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    key.address.bytes[byte] = static_cast<std::uint8_t>(*word >> (24 - 8 * byte));
  }
  return key;
}

std::optional<ipvs::ServiceKey> service_key_from_hex(std::string_view protocol,
                                                     std::string_view identity) {
  ipvs::ServiceKey key;
  if (protocol == "FWM") {
    const auto mark = number_from_text<std::uint32_t>(identity, 16);
    if (!mark || *mark == 0) return std::nullopt;
    key.fwmark = *mark;
    return key;
  }
  const auto endpoint = endpoint_from_hex(identity);
  if (!endpoint) return std::nullopt;
  if (protocol == "TCP") key.protocol = ipvs::Protocol::tcp;
  if (protocol == "UDP") key.protocol = ipvs::Protocol::udp;
  if (protocol == "SCTP") key.protocol = ipvs::Protocol::sctp;
  if (key.protocol == ipvs::Protocol::none) return std::nullopt;
  key.family = endpoint->address.family;
  key.address = endpoint->address;
  key.port = endpoint->port;
  return key;
}

/// IPv6 prefix lengths go through the kernel's ntohl() here: 64 reads 40000000.
std::uint32_t netmask_from_word(std::uint32_t word, ipvs::Family family) {
  if (family == ipvs::Family::inet || word <= 128) return word;
  return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

std::optional<ipvs::Service> service_from_line(std::string_view line,
                                               std::uint32_t ticks_per_second) {
  const auto words = words_of(line);
  if (words.size() < 3) return std::nullopt;
  const auto key = service_key_from_hex(words[0], words[1]);
  if (!key) return std::nullopt;
  ipvs::Service service;
  service.key = *key;
  service.scheduler = std::string(words[2]);
  std::size_t next = 3;
  if (next < words.size() && words[next] == "ops") {
    service.flags |= ipvs::service_flag::one_packet;
    ++next;
  }
  if (next == words.size()) return service;
  if (words.size() != next + 3 || words[next] != "persistent") return std::nullopt;
  const auto ticks = number_from_text<std::uint32_t>(words[next + 1], 10);
  const auto mask = number_from_text<std::uint32_t>(words[next + 2], 16);
  if (!ticks || !mask) return std::nullopt;
  service.flags |= ipvs::service_flag::persistent;
  service.timeout_s = ticks_per_second == 0 ? 0 : *ticks / ticks_per_second;
  service.netmask = netmask_from_word(*mask, key->family);
  return service;
}

std::optional<ipvs::ForwardingMethod> forwarding_from_name(std::string_view name) {
  using ipvs::ForwardingMethod;
  // ip_vs_fwd_name() calls everything else "Masq" (bypass included).
  constexpr std::array<std::pair<std::string_view, ForwardingMethod>, 5> names{
      {{"Masq", ForwardingMethod::masquerade},
       {"Local", ForwardingMethod::local_node},
       {"Tunnel", ForwardingMethod::tunnel},
       {"Route", ForwardingMethod::direct_route},
       {"Bypass", ForwardingMethod::bypass}}};
  for (const auto& [text, method] : names) {
    if (text == name) return method;
  }
  return std::nullopt;
}

std::optional<ipvs::Destination> destination_from_line(std::string_view line) {
  const auto words = words_of(line);
  if (words.size() != 6 || words[0] != "->") return std::nullopt;
  const auto key = endpoint_from_hex(words[1]);
  const auto forwarding = forwarding_from_name(words[2]);
  const auto weight = number_from_text<std::uint32_t>(words[3], 10);
  const auto active = number_from_text<std::uint32_t>(words[4], 10);
  const auto inactive = number_from_text<std::uint32_t>(words[5], 10);
  if (!key || !forwarding || !weight || !active || !inactive) return std::nullopt;
  ipvs::Destination destination;
  destination.key = *key;
  destination.forwarding = *forwarding;
  destination.weight = *weight;
  destination.active_connections = *active;
  destination.inactive_connections = *inactive;
  return destination;
}

/// "IP Virtual Server version 1.2.1 (size=4096)"
bool take_version(std::string_view line, ProcTable& table) {
  constexpr std::string_view start = "IP Virtual Server version ";
  const auto size_at = line.find(" (size=");
  if (!line.starts_with(start) || size_at == std::string_view::npos || !line.ends_with(')')) {
    return false;
  }
  const auto size =
      number_from_text<std::uint32_t>(line.substr(size_at + 7, line.size() - size_at - 8), 10);
  auto rest = line.substr(start.size(), size_at - start.size());
  for (int part = 0; part < 3; ++part) {
    const auto dot = part < 2 ? rest.find('.') : rest.size();
    const auto number = number_from_text<std::uint8_t>(rest.substr(0, dot), 10);
    if (dot == std::string_view::npos || !number) return false;
    table.info.version = table.info.version << 8 | *number;
    if (part < 2) rest.remove_prefix(dot + 1);
  }
  table.info.connection_table_size = size.value_or(0);
  return size.has_value();
}

bool take_line(std::string_view line, std::uint32_t ticks_per_second, ProcTable& table) {
  if (!line.starts_with("  ->")) {
    auto service = service_from_line(line, ticks_per_second);
    if (!service) return false;
    const bool persistent = (service->flags & ipvs::service_flag::persistent) != 0;
    if (persistent && ticks_per_second == 0) table.timeouts_known = false;
    table.services.push_back({std::move(*service), {}});
    return true;
  }
  auto destination = destination_from_line(line);
  if (!destination || table.services.empty()) return false;
  auto& entry = table.services.back();
  if (entry.service.key.is_fwmark()) entry.service.key.family = destination->key.address.family;
  entry.destinations.push_back(std::move(*destination));
  return true;
}

}  // namespace

tl::expected<ProcTable, std::string> proc_table_from_text(std::string_view text,
                                                          std::uint32_t ticks_per_second) {
  ProcTable table;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const bool heading = number == 2 || number == 3;
    const bool understood = heading       ? line.find("Address:Port") != std::string_view::npos
                            : number == 1 ? take_version(line, table)
                                          : take_line(line, ticks_per_second, table);
    if (!understood) {
      return tl::unexpected(fmt::format("/proc/net/ip_vs:{}: not understood: {}", number, line));
    }
  }
  if (table.info.version == 0) return tl::unexpected(std::string("/proc/net/ip_vs is empty"));
  return table;
}

std::optional<std::uint32_t> ticks_per_second_from_config(std::string_view text) {
  constexpr std::string_view name = "\nCONFIG_HZ=";
  const auto at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + name.size());
  const auto ticks = number_from_text<std::uint32_t>(text.substr(0, text.find('\n')), 10);
  return ticks && *ticks > 0 ? ticks : std::nullopt;
}

}  // namespace lvs::monitorctl
