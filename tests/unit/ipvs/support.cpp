#include "support.hpp"

#include <linux/genetlink.h>
#include <linux/ip_vs.h>
#include <linux/netlink.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lvs::ipvs::test {
namespace {

template <typename Header>
Bytes bytes_of(const Header& header) {
  const auto view = std::as_bytes(std::span(&header, 1));
  return {view.begin(), view.end()};
}

Bytes message(std::uint16_t type, std::uint32_t sequence, int flags, const Bytes& payload) {
  const auto length = sizeof(nlmsghdr) + payload.size();
  auto bytes = bytes_of(nlmsghdr{.nlmsg_len = static_cast<std::uint32_t>(length),
                                 .nlmsg_type = type,
                                 .nlmsg_flags = static_cast<std::uint16_t>(flags),
                                 .nlmsg_seq = sequence,
                                 .nlmsg_pid = 4711}) +
               payload;
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

int flag_of(Mark mark) {
  return mark == Mark::interrupted ? NLM_F_DUMP_INTR : 0;
}

Sent sent_from_message(const nlmsghdr& header, ByteView message) {
  genlmsghdr generic{};
  std::memcpy(&generic, message.data() + sizeof header, sizeof generic);
  const auto rest = message.subspan(sizeof header + sizeof generic);
  return {.family = header.nlmsg_type,
          .command = generic.cmd,
          .dump = (header.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP,
          .sequence = header.nlmsg_seq,
          .attributes = {rest.begin(), rest.end()}};
}

template <typename Count>
Bytes statistics_nest(const Statistics& statistics) {
  Bytes nest;
  const auto count = [&](int type, std::uint64_t value) {
    append_integer(nest, static_cast<std::uint16_t>(type), static_cast<Count>(value));
  };
  const auto wide = [&](int type, std::uint64_t value) {
    append_integer(nest, static_cast<std::uint16_t>(type), value);
  };
  count(IPVS_STATS_ATTR_CONNS, statistics.connections);
  count(IPVS_STATS_ATTR_INPKTS, statistics.in_packets);
  count(IPVS_STATS_ATTR_OUTPKTS, statistics.out_packets);
  wide(IPVS_STATS_ATTR_INBYTES, statistics.in_bytes);
  wide(IPVS_STATS_ATTR_OUTBYTES, statistics.out_bytes);
  count(IPVS_STATS_ATTR_CPS, statistics.connections_per_second);
  count(IPVS_STATS_ATTR_INPPS, statistics.in_packets_per_second);
  count(IPVS_STATS_ATTR_OUTPPS, statistics.out_packets_per_second);
  count(IPVS_STATS_ATTR_INBPS, statistics.in_bytes_per_second);
  count(IPVS_STATS_ATTR_OUTBPS, statistics.out_bytes_per_second);
  return nest;
}

void append_statistics(Bytes& to, const Statistics& statistics, int stats, int stats64) {
  append_attribute(to, static_cast<std::uint16_t>(stats),
                   statistics_nest<std::uint32_t>(statistics));
  append_attribute(to, static_cast<std::uint16_t>(stats64),
                   statistics_nest<std::uint64_t>(statistics));
}

std::pair<Bytes, Bytes> split(ByteView payload, int type) {
  std::pair<Bytes, Bytes> parts;  // {others, of that type}
  while (true) {
    const auto start = payload;
    const auto attribute = next_attribute(payload).value();
    if (!attribute) return parts;
    auto& part = attribute->type == type ? parts.second : parts.first;
    const auto whole = start.first(start.size() - payload.size());
    part.insert(part.end(), whole.begin(), whole.end());
  }
}

}  // namespace

Bytes bytes_from_hex(std::string_view hex) {
  const auto digit = [](char each) {
    const auto position = std::string_view("0123456789abcdef").find(each);
    if (position == std::string_view::npos) throw std::runtime_error("not a hex digit");
    return static_cast<unsigned>(position);
  };
  if (hex.size() % 2 != 0) throw std::runtime_error("half a byte");
  Bytes bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(digit(hex[i]) * 16 + digit(hex[i + 1])));
  }
  return bytes;
}

std::string hex_from_bytes(ByteView bytes) {
  std::string text;
  for (const auto each : bytes) {
    const auto value = std::to_integer<unsigned>(each);
    text += std::string_view("0123456789abcdef")[value / 16];
    text += std::string_view("0123456789abcdef")[value % 16];
  }
  return text;
}

Fixture fixture(std::string_view name) {
  const auto path = LVS_SOURCE_DIR "/tests/fixtures/ipvs/" + std::string(name) + ".hex";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Fixture result;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    std::string hex;
    words >> kind >> hex;
    if (kind == "info") result.info = bytes_from_hex(hex);
    if (kind == "service") result.services.push_back(bytes_from_hex(hex));
    if (kind == "destination") result.destinations.push_back(bytes_from_hex(hex));
  }
  return result;
}

Bytes nest(ByteView message) {
  const auto attribute = next_attribute(message).value().value();
  return {attribute.payload.begin(), attribute.payload.end()};
}

Bytes nested(std::uint16_t type, ByteView payload) {
  Bytes bytes;
  append_attribute(bytes, type, payload);  // without NLA_F_NESTED, as the kernel answers
  return bytes;
}

Bytes attributes_from_service(const Service& service) {
  Bytes to;
  const auto& key = service.key;
  append_integer(to, IPVS_SVC_ATTR_AF, static_cast<std::uint16_t>(key.family));
  if (key.is_fwmark()) {
    append_integer(to, IPVS_SVC_ATTR_FWMARK, key.fwmark);
  } else {
    append_integer(to, IPVS_SVC_ATTR_PROTOCOL, static_cast<std::uint16_t>(key.protocol));
    append_attribute(to, IPVS_SVC_ATTR_ADDR, std::as_bytes(std::span(key.address.bytes)));
    append_integer(to, IPVS_SVC_ATTR_PORT, swap_if_little(key.port));
  }
  append_string(to, IPVS_SVC_ATTR_SCHED_NAME, service.scheduler);
  if (!service.persistence_engine.empty()) {
    append_string(to, IPVS_SVC_ATTR_PE_NAME, service.persistence_engine);
  }
  const ip_vs_flags flags{.flags = service.flags | service_flag::hashed, .mask = ~0U};
  append_attribute(to, IPVS_SVC_ATTR_FLAGS, bytes_of(flags));
  append_integer(to, IPVS_SVC_ATTR_TIMEOUT, service.timeout_s);
  append_integer(to, IPVS_SVC_ATTR_NETMASK,
                 key.family == Family::inet ? swap_if_little(service.netmask) : service.netmask);
  append_statistics(to, service.statistics, IPVS_SVC_ATTR_STATS, IPVS_SVC_ATTR_STATS64);
  return to;
}

Bytes attributes_from_destination(const Destination& destination) {
  Bytes to;
  const auto u32 = [&](int type, std::uint32_t value) {
    append_integer(to, static_cast<std::uint16_t>(type), value);
  };
  const auto& address = destination.key.address;
  append_attribute(to, IPVS_DEST_ATTR_ADDR, std::as_bytes(std::span(address.bytes)));
  append_integer(to, IPVS_DEST_ATTR_PORT, swap_if_little(destination.key.port));
  u32(IPVS_DEST_ATTR_FWD_METHOD, static_cast<std::uint32_t>(destination.forwarding));
  u32(IPVS_DEST_ATTR_WEIGHT, destination.weight);
  append_integer(to, IPVS_DEST_ATTR_TUN_TYPE, static_cast<std::uint8_t>(destination.tunnel.type));
  append_integer(to, IPVS_DEST_ATTR_TUN_PORT, swap_if_little(destination.tunnel.port));
  append_integer(to, IPVS_DEST_ATTR_TUN_FLAGS, destination.tunnel.flags);
  u32(IPVS_DEST_ATTR_U_THRESH, destination.upper_threshold);
  u32(IPVS_DEST_ATTR_L_THRESH, destination.lower_threshold);
  u32(IPVS_DEST_ATTR_ACTIVE_CONNS, destination.active_connections);
  u32(IPVS_DEST_ATTR_INACT_CONNS, destination.inactive_connections);
  u32(IPVS_DEST_ATTR_PERSIST_CONNS, destination.persistent_connections);
  append_integer(to, IPVS_DEST_ATTR_ADDR_FAMILY, static_cast<std::uint16_t>(address.family));
  append_statistics(to, destination.statistics, IPVS_DEST_ATTR_STATS, IPVS_DEST_ATTR_STATS64);
  return to;
}

Bytes without(ByteView payload, int type) {
  return split(payload, type).first;
}

Bytes moved_to_end(ByteView payload, int type) {
  auto [others, moved] = split(payload, type);
  return std::move(others) + moved;
}

Bytes operator+(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Bytes entry(std::uint32_t sequence, std::uint8_t command, ByteView attributes, Mark mark) {
  return message(28, sequence, flag_of(mark),
                 bytes_of(genlmsghdr{.cmd = command, .version = 1, .reserved = 0}) +
                     Bytes(attributes.begin(), attributes.end()));
}

Bytes ack(std::uint32_t sequence, int error_number) {
  return message(NLMSG_ERROR, sequence, 0,
                 bytes_of(nlmsgerr{.error = -error_number, .msg = nlmsghdr{}}));
}

Bytes done(std::uint32_t sequence, Mark mark) {
  return message(NLMSG_DONE, sequence, NLM_F_MULTI | flag_of(mark), bytes_of(0));
}

tl::expected<void, int> ScriptedKernel::send(ByteView datagram) {
  ++log_.datagrams;
  if (log_.refusal != 0) return tl::unexpected(log_.refusal);
  while (!datagram.empty()) {
    nlmsghdr header{};
    std::memcpy(&header, datagram.data(), sizeof header);
    log_.sent.push_back(sent_from_message(header, datagram.first(header.nlmsg_len)));
    for (auto& reply : answer_(log_.sent.back()))
      queue_.push_back(std::move(reply));
    datagram = datagram.subspan((header.nlmsg_len + 3U) / 4U * 4U);
  }
  return {};
}

tl::expected<ByteView, int> ScriptedKernel::receive(Clock::time_point) {
  if (queue_.empty()) return tl::unexpected(ETIMEDOUT);
  auto reply = std::move(queue_.front());
  queue_.pop_front();
  if (reply.error_number != 0) return tl::unexpected(reply.error_number);
  current_ = std::move(reply.datagram);
  return ByteView(current_);
}

void ScriptedKernel::close() {
  ++log_.closed;
  queue_.clear();
}

}  // namespace lvs::ipvs::test
