#include <linux/ip_vs.h>

#include <cstring>
#include <utility>

#include "ipvs/codec.hpp"
#include "ipvs/error.hpp"
#include "ipvs/fields.hpp"

namespace lvs::ipvs {
namespace {

static_assert(max_weight == 0x7fffffff);

static_assert(IPVS_SVC_ATTR_MAX < Fields::max_types && IPVS_DEST_ATTR_MAX < Fields::max_types &&
              IPVS_STATS_ATTR_MAX < Fields::max_types);

Family family_from_number(Fields& fields, std::uint16_t number) {
  const auto family = static_cast<Family>(number);
  if (family == Family::inet || family == Family::inet6) return family;
  fields.refuse("address family " + std::to_string(number) + " is neither 2 nor 10");
  return Family::inet;
}

/// The kernel sends 16 bytes for both families, an IPv4 address in the first four; 4 suffice.
IpAddress address_from_payload(Fields& fields, ByteView payload, Family family) {
  constexpr std::size_t inet_size = 4;
  IpAddress address{.family = family};
  const auto needed = family == Family::inet ? inet_size : address.bytes.size();
  if (payload.size() < needed || payload.size() > address.bytes.size()) {
    fields.refuse_length("ADDR", payload.size(), needed == inet_size ? "4 to 16" : "16");
    return address;
  }
  std::memcpy(address.bytes.data(), payload.data(), needed);
  return address;
}

std::uint16_t port_from_attribute(Fields& fields, int type) {
  return swap_if_little(fields.integer<std::uint16_t>(type, "PORT"));
}

/// STATS64 where the kernel has it: in STATS the counts and byte rates are cut to 32 bits.
Statistics statistics_from_attributes(Fields& parent, int stats64, int stats) {
  const auto nest = parent.find(stats64) ? parent.find(stats64) : parent.find(stats);
  if (!nest) {
    parent.refuse("neither STATS64 nor STATS");
    return {};
  }
  Fields fields("statistics", *nest);
  const Statistics statistics{
      .connections = fields.counter(IPVS_STATS_ATTR_CONNS, "CONNS"),
      .in_packets = fields.counter(IPVS_STATS_ATTR_INPKTS, "INPKTS"),
      .out_packets = fields.counter(IPVS_STATS_ATTR_OUTPKTS, "OUTPKTS"),
      .in_bytes = fields.counter(IPVS_STATS_ATTR_INBYTES, "INBYTES"),
      .out_bytes = fields.counter(IPVS_STATS_ATTR_OUTBYTES, "OUTBYTES"),
      .connections_per_second = fields.counter(IPVS_STATS_ATTR_CPS, "CPS"),
      .in_packets_per_second = fields.counter(IPVS_STATS_ATTR_INPPS, "INPPS"),
      .out_packets_per_second = fields.counter(IPVS_STATS_ATTR_OUTPPS, "OUTPPS"),
      .in_bytes_per_second = fields.counter(IPVS_STATS_ATTR_INBPS, "INBPS"),
      .out_bytes_per_second = fields.counter(IPVS_STATS_ATTR_OUTBPS, "OUTBPS")};
  const auto result = fields.finish(statistics);
  if (!result) parent.refuse(result.error().message);
  return result.value_or(Statistics{});
}

/// A fwmark service carries no PROTOCOL, ADDR and PORT at all.
ServiceKey service_key_from_attributes(Fields& fields) {
  ServiceKey key{};
  key.family = family_from_number(fields, fields.integer<std::uint16_t>(IPVS_SVC_ATTR_AF, "AF"));
  key.fwmark = fields.optional_integer<std::uint32_t>(IPVS_SVC_ATTR_FWMARK, "FWMARK");
  if (key.is_fwmark()) return key;
  key.protocol =
      static_cast<Protocol>(fields.integer<std::uint16_t>(IPVS_SVC_ATTR_PROTOCOL, "PROTOCOL"));
  key.address = address_from_payload(fields, fields.bytes(IPVS_SVC_ATTR_ADDR, "ADDR"), key.family);
  key.port = port_from_attribute(fields, IPVS_SVC_ATTR_PORT);
  return key;
}

/// struct ip_vs_flags {flags, mask}; HASHED is the kernel's own bookkeeping.
std::uint32_t flags_from_attribute(Fields& fields) {
  const auto payload = fields.bytes(IPVS_SVC_ATTR_FLAGS, "FLAGS");
  ip_vs_flags flags{};
  if (payload.size() != sizeof flags) {
    fields.refuse_length("FLAGS", payload.size(), std::to_string(sizeof flags));
    return {};
  }
  std::memcpy(&flags, payload.data(), sizeof flags);
  return flags.flags & ~service_flag::hashed;
}

/// The payload of the one nest that a message of this kind is about.
tl::expected<ByteView, Error> nest_from_message(ByteView attributes, int type,
                                                std::string_view name) {
  Fields message("message", attributes);
  return message.finish(message.bytes(type, name));
}

}  // namespace

tl::expected<Service, Error> service_from_attributes(ByteView payload) {
  Fields fields("service", payload);
  Service service{};
  service.key = service_key_from_attributes(fields);
  service.scheduler = fields.text(IPVS_SVC_ATTR_SCHED_NAME, "SCHED_NAME");
  service.flags = flags_from_attribute(fields);
  service.timeout_s = fields.integer<std::uint32_t>(IPVS_SVC_ATTR_TIMEOUT, "TIMEOUT");
  const auto netmask = fields.integer<std::uint32_t>(IPVS_SVC_ATTR_NETMASK, "NETMASK");
  // An address mask in network order for IPv4, a prefix length in host order for IPv6.
  service.netmask = service.key.family == Family::inet ? swap_if_little(netmask) : netmask;
  if (fields.find(IPVS_SVC_ATTR_PE_NAME)) {
    service.persistence_engine = fields.text(IPVS_SVC_ATTR_PE_NAME, "PE_NAME");
  }
  service.statistics =
      statistics_from_attributes(fields, IPVS_SVC_ATTR_STATS64, IPVS_SVC_ATTR_STATS);
  return fields.finish(std::move(service));
}

tl::expected<Destination, Error> destination_from_attributes(ByteView payload,
                                                             Family service_family) {
  Fields fields("destination", payload);
  // ADDR_FAMILY comes after ADDR: nothing is decoded before all attributes are collected.
  const auto family =
      fields.find(IPVS_DEST_ATTR_ADDR_FAMILY)
          ? family_from_number(
                fields, fields.integer<std::uint16_t>(IPVS_DEST_ATTR_ADDR_FAMILY, "ADDR_FAMILY"))
          : service_family;
  const auto u32 = [&](int type, std::string_view name) {
    return fields.integer<std::uint32_t>(type, name);
  };

  Destination destination{};
  destination.key.address =
      address_from_payload(fields, fields.bytes(IPVS_DEST_ATTR_ADDR, "ADDR"), family);
  destination.key.port = port_from_attribute(fields, IPVS_DEST_ATTR_PORT);
  destination.weight = u32(IPVS_DEST_ATTR_WEIGHT, "WEIGHT");
  destination.forwarding = static_cast<ForwardingMethod>(
      u32(IPVS_DEST_ATTR_FWD_METHOD, "FWD_METHOD") & IP_VS_CONN_F_FWD_MASK);
  destination.tunnel.type = static_cast<TunnelType>(
      fields.optional_integer<std::uint8_t>(IPVS_DEST_ATTR_TUN_TYPE, "TUN_TYPE"));
  destination.tunnel.port =
      swap_if_little(fields.optional_integer<std::uint16_t>(IPVS_DEST_ATTR_TUN_PORT, "TUN_PORT"));
  destination.tunnel.flags =
      fields.optional_integer<std::uint16_t>(IPVS_DEST_ATTR_TUN_FLAGS, "TUN_FLAGS");
  destination.upper_threshold = u32(IPVS_DEST_ATTR_U_THRESH, "U_THRESH");
  destination.lower_threshold = u32(IPVS_DEST_ATTR_L_THRESH, "L_THRESH");
  destination.active_connections = u32(IPVS_DEST_ATTR_ACTIVE_CONNS, "ACTIVE_CONNS");
  destination.inactive_connections = u32(IPVS_DEST_ATTR_INACT_CONNS, "INACT_CONNS");
  destination.persistent_connections = u32(IPVS_DEST_ATTR_PERSIST_CONNS, "PERSIST_CONNS");
  destination.statistics =
      statistics_from_attributes(fields, IPVS_DEST_ATTR_STATS64, IPVS_DEST_ATTR_STATS);
  destination.raw.assign(payload.begin(), payload.end());
  return fields.finish(std::move(destination));
}

tl::expected<Service, Error> service_from_message(ByteView attributes) {
  const auto nest = nest_from_message(attributes, IPVS_CMD_ATTR_SERVICE, "SERVICE");
  if (!nest) return tl::unexpected(nest.error());
  return service_from_attributes(*nest);
}

tl::expected<Destination, Error> destination_from_message(ByteView attributes,
                                                          Family service_family) {
  const auto nest = nest_from_message(attributes, IPVS_CMD_ATTR_DEST, "DEST");
  if (!nest) return tl::unexpected(nest.error());
  return destination_from_attributes(*nest, service_family);
}

tl::expected<KernelInfo, Error> kernel_info_from_message(ByteView attributes) {
  Fields fields("info", attributes);
  const KernelInfo info{.version = fields.integer<std::uint32_t>(IPVS_INFO_ATTR_VERSION, "VERSION"),
                        .connection_table_size = fields.integer<std::uint32_t>(
                            IPVS_INFO_ATTR_CONN_TAB_SIZE, "CONN_TAB_SIZE")};
  return fields.finish(info);
}

}  // namespace lvs::ipvs
