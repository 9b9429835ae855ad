#include "bench/moving_table.hpp"

#include <algorithm>

#include "bench/loopback_servers.hpp"

namespace lvs::bench {
namespace {

constexpr std::size_t pool_size = 100;
/// What the kernel's IPVS_CMD_ATTR_DEST holds (Linux 6.1): a copy of it lives in every reading.
constexpr std::size_t raw_bytes = 376;

ipvs::Destination destination_of(std::size_t server) {
  ipvs::Destination destination;
  destination.key = {server_address(server), 80};
  destination.weight = 10;
  destination.raw.resize(raw_bytes);
  return destination;
}

ipvs::Service service_of(std::size_t pool) {
  ipvs::Service service;
  service.key.protocol = ipvs::Protocol::tcp;
  service.key.address.bytes = {10, static_cast<std::uint8_t>(64 + (pool >> 16U)),
                               static_cast<std::uint8_t>(pool >> 8U),
                               static_cast<std::uint8_t>(pool)};
  service.key.port = 80;
  service.scheduler = pool % 2 == 0 ? "wrr" : "wlc";
  return service;
}

/// What came to a destination in one interval. As many to a weak server as to a strong one: how
/// busy they are does not follow the weights here, and connections that did would make the busier
/// of two servers look like the stronger one.
void pass_interval_of(ipvs::Destination& destination, std::uint64_t chance) {
  const auto arrived = 34 + chance % 13;
  destination.statistics.connections += arrived;
  destination.statistics.in_packets += 10 * arrived;
  destination.statistics.in_bytes += 4000 * arrived;
  destination.statistics.out_bytes += 40000 * arrived;
  destination.active_connections = static_cast<std::uint32_t>(6 + (chance >> 8U) % 5);
  destination.inactive_connections = static_cast<std::uint32_t>(40 + (chance >> 16U) % 20);
}

}  // namespace

std::vector<ipvs::ServiceEntry> loopback_table(std::size_t servers) {
  std::vector<ipvs::ServiceEntry> entries;
  for (std::size_t first = 0; first < servers; first += pool_size) {
    auto& entry = entries.emplace_back();
    entry.service = service_of(first / pool_size);
    const auto end = std::min(servers, first + pool_size);
    for (auto server = first; server < end; ++server)
      entry.destinations.push_back(destination_of(server));
  }
  return entries;
}

void MovingTable::pass_interval() {
  ++intervals_;
  std::uint64_t number = mixed(intervals_);
  for (auto& entry : table_.entries) {
    for (auto& destination : entry.destinations)
      pass_interval_of(destination, mixed(++number));
  }
}

tl::expected<std::vector<ipvs::ServiceEntry>, ipvs::Error> MovingTable::services() {
  return timed([this] {
    pass_interval();
    table_.written.clear();  // nobody looks, and in ten minutes they are many
    return table_.services();
  });
}

tl::expected<ipvs::ServiceEntry, ipvs::Error> MovingTable::service(const ipvs::ServiceKey& key) {
  return timed([&] { return table_.service(key); });
}

std::vector<tl::expected<void, ipvs::Error>> MovingTable::set_weights(
    const ipvs::ServiceKey& key, std::span<const ipvs::WeightWrite> writes) {
  return timed([&] { return table_.set_weights(key, writes); });
}

}  // namespace lvs::bench
