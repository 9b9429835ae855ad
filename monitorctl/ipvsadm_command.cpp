#include "monitorctl/ipvsadm_command.hpp"

#include <fmt/format.h>

#include "monitorctl/ipvsadm_format.hpp"

namespace lvs::monitorctl {
namespace {

std::string service_option(const ipvs::ServiceKey& key) {
  if (key.is_fwmark()) {
    return fmt::format("-f {}{}", key.fwmark, key.family == ipvs::Family::inet6 ? " -6" : "");
  }
  const auto address = ipvs::string_from_destination_key({key.address, key.port});
  switch (key.protocol) {
    case ipvs::Protocol::udp:
      return "-u " + address;
    case ipvs::Protocol::sctp:
      return "--sctp-service " + address;
    case ipvs::Protocol::tcp:
    case ipvs::Protocol::none:
      break;
  }
  return "-t " + address;
}

std::string persistence_options(const ipvs::Service& service) {
  if ((service.flags & ipvs::service_flag::persistent) == 0) return "";
  auto text = fmt::format(" -p {}", service.timeout_s);
  const auto mask = service.netmask;
  if (service.key.family == ipvs::Family::inet6) {
    if (mask != 128) text += fmt::format(" -M {}", mask);
  } else if (mask != 0xffffffff) {
    text +=
        fmt::format(" -M {}.{}.{}.{}", mask >> 24, mask >> 16 & 255, mask >> 8 & 255, mask & 255);
  }
  if (!service.persistence_engine.empty()) text += " --pe " + service.persistence_engine;
  return text;
}

std::string tunnel_options(const ipvs::Tunnel& tunnel) {
  if (tunnel.type == ipvs::TunnelType::ipip) return "-i";
  auto text = tunnel.type == ipvs::TunnelType::gue
                  ? fmt::format("-i --tun-type gue --tun-port {}", tunnel.port)
                  : std::string("-i --tun-type gre");
  constexpr std::uint16_t checksum = 1;
  constexpr std::uint16_t remote_checksum = 2;
  if (tunnel.flags == checksum) text += " --tun-csum";
  if (tunnel.flags == remote_checksum) text += " --tun-remcsum";
  return text;
}

/// The kernel finds out by itself what is local.
std::string forwarding_options(const ipvs::Destination& destination) {
  if (destination.forwarding == ipvs::ForwardingMethod::tunnel) {
    return tunnel_options(destination.tunnel);
  }
  return destination.forwarding == ipvs::ForwardingMethod::direct_route ? "-g" : "-m";
}

}  // namespace

std::string edit_service_command(const ipvs::Service& service) {
  auto text = fmt::format("ipvsadm -E {} -s {}{}", service_option(service.key), service.scheduler,
                          persistence_options(service));
  const bool hashing = service.scheduler == "sh" || service.scheduler == "mh";
  const auto flags = scheduler_flags_text(service);
  if (hashing && !flags.empty()) text += " -b " + flags;
  if ((service.flags & ipvs::service_flag::one_packet) != 0) text += " -o";
  return text;
}

std::string edit_destination_command(const ipvs::ServiceKey& service,
                                     const ipvs::Destination& destination) {
  auto text = fmt::format("ipvsadm -e {} -r {} {} -w {}", service_option(service),
                          ipvs::string_from_destination_key(destination.key),
                          forwarding_options(destination), destination.weight);
  if (destination.upper_threshold > 0) text += fmt::format(" -x {}", destination.upper_threshold);
  if (destination.lower_threshold > 0) text += fmt::format(" -y {}", destination.lower_threshold);
  return text;
}

}  // namespace lvs::monitorctl
