#include "monitorctl/saved_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "monitorctl/ipvsadm_format.hpp"

namespace lvs::monitorctl {
namespace {

namespace flag = ipvs::service_flag;

/// IP_VS_TUNNEL_ENCAP_FLAG_*: none, CSUM, REMCSUM; the kernel takes one of the two at most.
constexpr std::array<std::string_view, 3> checksum_options{"--tun-nocsum", "--tun-csum",
                                                           "--tun-remcsum"};

bool is_persistent(const ipvs::Service& service) {
  return (service.flags & flag::persistent) != 0;
}

/// "-t 10.9.9.9:80", "-f 7 -6"; empty for a protocol that ipvsadm has no option for.
std::string service_option(const ipvs::ServiceKey& key) {
  if (key.is_fwmark()) {
    return fmt::format("-f {}{}", key.fwmark, key.family == ipvs::Family::inet6 ? " -6" : "");
  }
  const auto address = ipvs::string_from_destination_key({key.address, key.port});
  switch (key.protocol) {
    case ipvs::Protocol::tcp:
      return "-t " + address;
    case ipvs::Protocol::udp:
      return "-u " + address;
    case ipvs::Protocol::sctp:
      return "--sctp-service " + address;
    case ipvs::Protocol::none:
      break;
  }
  return "";
}

/// Empty for a method that ipvsadm cannot set.
std::string_view forwarding_option(ipvs::ForwardingMethod method) {
  switch (method) {
    case ipvs::ForwardingMethod::masquerade:
      return "-m";
    case ipvs::ForwardingMethod::tunnel:
      return "-i";
    case ipvs::ForwardingMethod::local_node:
    case ipvs::ForwardingMethod::direct_route:
      return "-g";
    case ipvs::ForwardingMethod::bypass:
      break;
  }
  return "";
}

bool has_known_tunnel(const ipvs::Destination& destination) {
  const auto& tunnel = destination.tunnel;
  switch (tunnel.type) {
    case ipvs::TunnelType::ipip:
      return true;
    case ipvs::TunnelType::gue:
      return tunnel.port != 0 && tunnel.flags < checksum_options.size();
    case ipvs::TunnelType::gre:
      return tunnel.flags < checksum_options.size() - 1;
  }
  return false;
}

std::string tunnel_options(const ipvs::Destination& destination) {
  if (destination.forwarding != ipvs::ForwardingMethod::tunnel) return "";
  const auto& tunnel = destination.tunnel;
  if (tunnel.type == ipvs::TunnelType::ipip) return " --tun-type ipip";
  const auto checksum = checksum_options.at(tunnel.flags);
  if (tunnel.type == ipvs::TunnelType::gre) return fmt::format(" --tun-type gre {}", checksum);
  return fmt::format(" --tun-type gue --tun-port {} {}", tunnel.port, checksum);
}

std::string persistence_options(const ipvs::Service& service) {
  if (!is_persistent(service)) return "";
  auto text = fmt::format(" -p {}", std::clamp(service.timeout_s, 1U, longest_timeout_s));
  const auto mask = service.netmask;
  if (service.key.family == ipvs::Family::inet6) {
    return mask == 128 ? text : text + fmt::format(" -M {}", mask);
  }
  if (mask == 0xffffffff) return text;
  return text +
         fmt::format(" -M {}.{}.{}.{}", mask >> 24, mask >> 16 & 255, mask >> 8 & 255, mask & 255);
}

/// Why ipvsadm cannot make such a service; empty where it can.
std::string refusal_of(const ipvs::Service& service) {
  if (service_option(service.key).empty()) return "ipvsadm has no option for its protocol";
  if (service.scheduler.empty() || service.scheduler == "none") return "it has no scheduler";
  const bool by_address = !service.key.is_fwmark();
  if (by_address && service.key.port == 0 && !is_persistent(service)) {
    return "ipvsadm takes port 0 with persistence only";
  }
  if (by_address && (service.flags & flag::one_packet) != 0 &&
      service.key.protocol != ipvs::Protocol::udp) {
    return "ipvsadm takes one-packet scheduling for UDP only";
  }
  return "";
}

std::string refusal_of(const ipvs::Destination& destination) {
  if (forwarding_option(destination.forwarding).empty()) {
    return fmt::format(
        "ipvsadm cannot set its forwarding method, {}",
        destination.forwarding == ipvs::ForwardingMethod::bypass
            ? "Bypass"
            : fmt::format("number {}", static_cast<std::uint32_t>(destination.forwarding)));
  }
  if (destination.forwarding == ipvs::ForwardingMethod::tunnel && !has_known_tunnel(destination)) {
    return "ipvsadm does not know its kind of tunnel";
  }
  if (destination.upper_threshold > INT32_MAX) return "its upper threshold is above 2147483647";
  return "";
}

/// What ipvsadm makes something else of; empty where it comes back as it is.
std::string change_of(const ipvs::Service& service) {
  const auto timeout = service.timeout_s;
  if (!is_persistent(service) || (timeout >= 1 && timeout <= longest_timeout_s)) return "";
  return fmt::format("comes back with a persistence timeout of {} s instead of {}",
                     std::clamp(timeout, 1U, longest_timeout_s), timeout);
}

std::string change_of(const ipvs::Destination& destination, const ipvs::ServiceKey& service) {
  using enum ipvs::ForwardingMethod;
  const auto method = destination.forwarding;
  if (!service.is_fwmark() && method != masquerade && destination.key.port != service.port) {
    return fmt::format("comes back with port {}: ipvsadm gives {} that of the service",
                       service.port, ipvs::string_from_forwarding_method(method));
  }
  if (method == local_node) return "comes back as Route, which the kernel treats alike";
  return "";
}

std::string service_line(const ipvs::Service& service, const std::string& option) {
  auto text = fmt::format("-A {} -s {}{}", option, service.scheduler, persistence_options(service));
  if (!service.persistence_engine.empty()) text += " --pe " + service.persistence_engine;
  if ((service.flags & flag::one_packet) != 0) text += " -o";
  const auto flags = saved_flags(service);
  return flags.empty() ? text + "\n" : text + " -b " + flags + "\n";
}

std::string destination_line(const ipvs::Destination& destination, const std::string& option) {
  auto text = fmt::format(
      "-a {} -r {} {} -w {}{}", option, ipvs::string_from_destination_key(destination.key),
      forwarding_option(destination.forwarding), destination.weight, tunnel_options(destination));
  if (destination.upper_threshold != 0) text += fmt::format(" -x {}", destination.upper_threshold);
  if (destination.lower_threshold != 0) text += fmt::format(" -y {}", destination.lower_threshold);
  return text + "\n";
}

void add_loss(std::vector<Loss>& losses, const std::string& name, const std::string& refusal,
              const std::string& change) {
  if (!refusal.empty()) {
    losses.push_back({fmt::format("{} is left out: {}", name, refusal), true});
  } else if (!change.empty()) {
    losses.push_back({fmt::format("{} {}", name, change), false});
  }
}

}  // namespace

std::string saved_flags(const ipvs::Service& service) {
  auto text = scheduler_flags_text(service);
  const bool hidden = (service.flags & flag::sched3) != 0 && text.find("flag-3") == text.npos;
  if (!hidden) return text;
  return text.empty() ? "flag-3" : text + ",flag-3";
}

std::string saved_text(std::span<const ipvs::ServiceEntry> services) {
  std::string text;
  for (const auto& [service, destinations] : services) {
    if (!refusal_of(service).empty()) continue;
    const auto option = service_option(service.key);
    text += service_line(service, option);
    for (const auto& destination : destinations) {
      if (refusal_of(destination).empty()) text += destination_line(destination, option);
    }
  }
  return text;
}

std::vector<Loss> losses_of(std::span<const ipvs::ServiceEntry> services) {
  std::vector<Loss> losses;
  for (const auto& [service, destinations] : services) {
    const auto name = ipvs::string_from_service_key(service.key);
    const auto refusal = refusal_of(service);
    add_loss(losses, name, refusal, change_of(service));
    if (!refusal.empty()) continue;
    for (const auto& destination : destinations) {
      add_loss(losses, name + " " + ipvs::string_from_destination_key(destination.key),
               refusal_of(destination), change_of(destination, service.key));
    }
  }
  return losses;
}

}  // namespace lvs::monitorctl
