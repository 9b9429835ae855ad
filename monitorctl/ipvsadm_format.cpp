#include "monitorctl/ipvsadm_format.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

namespace lvs::monitorctl {
namespace {

std::string_view protocol_name(ipvs::Protocol protocol) {
  switch (protocol) {
    case ipvs::Protocol::tcp:
      return "TCP";
    case ipvs::Protocol::udp:
      return "UDP";
    case ipvs::Protocol::sctp:
      return "SCTP";
    case ipvs::Protocol::none:
      break;
  }
  return "?";
}

/// Bypass has no name there: printf's word for a null pointer.
std::string_view forwarding_name(ipvs::ForwardingMethod method) {
  return method == ipvs::ForwardingMethod::bypass ? "(null)"
                                                  : ipvs::string_from_forwarding_method(method);
}

std::string mask_text(const ipvs::Service& service) {
  if (service.key.family == ipvs::Family::inet6) {
    return service.netmask == 128 ? "" : fmt::format(" mask {}", service.netmask);
  }
  if (service.netmask == 0xffffffff) return "";
  const auto mask = service.netmask;
  return fmt::format(" mask {}.{}.{}.{}", mask >> 24, mask >> 16 & 255, mask >> 8 & 255,
                     mask & 255);
}

std::string title_lines(Listing listing) {
  constexpr std::string_view address = "Prot LocalAddress:Port";
  constexpr std::string_view remote = "\n  -> RemoteAddress:Port\n";
  switch (listing) {
    case Listing::standard:
      break;
    case Listing::statistics:
      return fmt::format("{:<33} {:>8} {:>8} {:>8} {:>8} {:>8}{}", address, "Conns", "InPkts",
                         "OutPkts", "InBytes", "OutBytes", remote);
    case Listing::rates:
      return fmt::format("{:<33} {:>8} {:>8} {:>8} {:>8} {:>8}{}", address, "CPS", "InPPS",
                         "OutPPS", "InBPS", "OutBPS", remote);
    case Listing::thresholds:
      return fmt::format("{:<33} {:<10} {:<10} {:<10} {:<10}{}", address, "Uthreshold",
                         "Lthreshold", "ActiveConn", "InActConn", remote);
    case Listing::persistent_connections:
      return fmt::format("{:<33} {:<9} {:<11} {:<10} {:<10}{}", address, "Weight", "PersistConn",
                         "ActiveConn", "InActConn", remote);
    case Listing::tunnels:
      return "Prot LocalAddress:Port Scheduler Flags\n"
             "  -> RemoteAddress:Port           Forward TunnelInfo    Weight ActiveConn "
             "InActConn\n";
  }
  return "Prot LocalAddress:Port Scheduler Flags\n"
         "  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn\n";
}

std::string statistics_columns(const ipvs::Statistics& counted, bool exact) {
  return number_column(counted.connections, exact) + number_column(counted.in_packets, exact) +
         number_column(counted.out_packets, exact) + number_column(counted.in_bytes, exact) +
         number_column(counted.out_bytes, exact);
}

std::string byte_rate_columns(const ipvs::Statistics& counted, bool exact) {
  return number_column(counted.in_bytes_per_second, exact) +
         number_column(counted.out_bytes_per_second, exact);
}

std::string service_line(const ipvs::Service& service, const ListingFormat& format) {
  const auto& counted = service.statistics;
  if (format.listing == Listing::statistics) {
    return fmt::format("{:<33}{}", service_name(service.key),
                       statistics_columns(counted, format.exact));
  }
  if (format.listing == Listing::rates) {
    return fmt::format("{:<33}{}{}{}{}", service_name(service.key),
                       number_column(counted.connections_per_second, format.exact),
                       number_column(counted.in_packets_per_second, format.exact),
                       number_column(counted.out_packets_per_second, format.exact),
                       byte_rate_columns(counted, format.exact));
  }
  return service_heading(service);
}

std::string rate_columns_of_destination(const ipvs::Statistics& counted, bool exact) {
  // ipvsadm never shortens these three on a destination's line; it does on the service's.
  return fmt::format(" {:>8} {:>8} {:>8}{}", counted.connections_per_second,
                     counted.in_packets_per_second, counted.out_packets_per_second,
                     byte_rate_columns(counted, exact));
}

std::string destination_columns(const ipvs::Destination& destination, const ListingFormat& format) {
  const auto connections = fmt::format("{:<10} {:<10}", destination.active_connections,
                                       destination.inactive_connections);
  switch (format.listing) {
    case Listing::standard:
      break;
    case Listing::statistics:
      return statistics_columns(destination.statistics, format.exact);
    case Listing::rates:
      return rate_columns_of_destination(destination.statistics, format.exact);
    case Listing::thresholds:
      return fmt::format(" {:<10} {:<10} {}", destination.upper_threshold,
                         destination.lower_threshold, connections);
    case Listing::persistent_connections:
      return fmt::format(" {:<9} {:<11} {}", destination.weight, destination.persistent_connections,
                         connections);
    case Listing::tunnels:
      return fmt::format(" {:<7} {:<13} {:<6} {}", forwarding_name(destination.forwarding),
                         tunnel_name(destination), destination.weight, connections);
  }
  return fmt::format(" {:<7} {:<6} {}", forwarding_name(destination.forwarding), destination.weight,
                     connections);
}

}  // namespace

std::string number_column(std::uint64_t number, bool exact) {
  if (exact) {
    const auto digits = fmt::format("{}", number);
    return fmt::format("{:>{}}", digits, digits.size() <= 8 ? 9 : digits.size() + 1);
  }
  struct Step {
    std::uint64_t below, unit;
    char letter;
  };
  constexpr std::array<Step, 3> steps{{{1'000'000'000, 1'000, 'K'},
                                       {100'000'000'000, 1'000'000, 'M'},
                                       {100'000'000'000'000, 1'000'000'000, 'G'}}};
  if (number < 100'000'000) return fmt::format("{:>9}", number);
  for (const auto& step : steps) {
    if (number < step.below) return fmt::format("{:>8}{}", number / step.unit, step.letter);
  }
  return fmt::format("{:>8}T", number / 1'000'000'000'000);
}

std::string tunnel_name(const ipvs::Destination& destination) {
  if (destination.forwarding != ipvs::ForwardingMethod::tunnel) return "n/a";
  // IP_VS_TUNNEL_ENCAP_FLAG_*: none, CSUM, REMCSUM; the kernel takes one of the two at most.
  constexpr std::array<std::string_view, 3> checksums{"-c", "+c", "r+c"};
  const auto& tunnel = destination.tunnel;
  const auto checksum = tunnel.flags < checksums.size() ? checksums[tunnel.flags] : "?";
  switch (tunnel.type) {
    case ipvs::TunnelType::ipip:
      return "ipip";
    case ipvs::TunnelType::gue:
      return fmt::format("gue:{}:{}", tunnel.port, checksum);
    case ipvs::TunnelType::gre:
      return fmt::format("gre:{}", checksum);
  }
  return "n/a";
}

std::string persistence_text(const ipvs::Service& service) {
  if ((service.flags & ipvs::service_flag::persistent) == 0) return "";
  const auto& engine = service.persistence_engine;
  return fmt::format("persistent {}{}{}", service.timeout_s, mask_text(service),
                     engine.empty() ? "" : " pe " + engine);
}

std::string scheduler_flags_text(const ipvs::Service& service) {
  struct Named {
    std::uint32_t flag;
    std::string name;
  };
  const bool hashing = service.scheduler == "sh" || service.scheduler == "mh";
  const std::array<Named, 3> named{{
      {ipvs::service_flag::sched1, hashing ? service.scheduler + "-fallback" : "flag-1"},
      {ipvs::service_flag::sched2, hashing ? service.scheduler + "-port" : "flag-2"},
      {ipvs::service_flag::sched3, hashing ? "" : "flag-3"},
  }};
  std::string text;
  for (const auto& [flag, name] : named) {
    if ((service.flags & flag) == 0 || name.empty()) continue;
    text += (text.empty() ? "" : ",") + name;
  }
  return text;
}

std::string service_name(const ipvs::ServiceKey& key) {
  if (key.is_fwmark()) {
    // ipvsadm prints the mark with %d: marks from 2^31 on appear negative.
    return fmt::format("FWM  {}{}", static_cast<std::int32_t>(key.fwmark),
                       key.family == ipvs::Family::inet6 ? " IPv6" : "");
  }
  return fmt::format("{:<4} {}", protocol_name(key.protocol),
                     ipvs::string_from_destination_key({key.address, key.port}));
}

std::string service_heading(const ipvs::Service& service) {
  namespace flag = ipvs::service_flag;
  auto text = fmt::format("{} {}", service_name(service.key), service.scheduler);
  if ((service.flags & (flag::sched1 | flag::sched2 | flag::sched3)) != 0) {
    text += fmt::format(" ({})", scheduler_flags_text(service));
  }
  const auto persistence = persistence_text(service);
  if (!persistence.empty()) text += " " + persistence;
  if ((service.flags & flag::one_packet) != 0) text += " ops";
  return text;
}

std::string version_text(const ipvs::KernelInfo& info) {
  return fmt::format("{}.{}.{}", info.version >> 16 & 255, info.version >> 8 & 255,
                     info.version & 255);
}

std::string version_line(const ipvs::KernelInfo& info) {
  return fmt::format("IP Virtual Server version {} (size={})\n", version_text(info),
                     info.connection_table_size);
}

std::string listing_text(std::span<const ipvs::ServiceEntry> services,
                         const ListingFormat& format) {
  auto text = title_lines(format.listing);
  for (const auto& entry : services) {
    text += service_line(entry.service, format) + "\n";
    for (const auto& destination : entry.destinations) {
      text += fmt::format("  -> {:<28}{}\n", ipvs::string_from_destination_key(destination.key),
                          destination_columns(destination, format));
    }
  }
  return text;
}

}  // namespace lvs::monitorctl
