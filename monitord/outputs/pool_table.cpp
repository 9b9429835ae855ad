#include "monitord/outputs/pool_table.hpp"

#include <algorithm>
#include <utility>

namespace lvs::monitord {
namespace {

std::uint32_t first_weight(const DestinationId& id, std::uint32_t base,
                           const Remembered& remembered) {
  auto const known = remembered.find(id);
  if (known == remembered.end()) return base;
  auto const weight = known->second.weight;
  return weight == 0 && !known->second.own_zero ? base : weight;
}

}  // namespace

void PoolTable::declare(std::span<const PoolConfig> pools, const Remembered& remembered) {
  std::vector<ipvs::ServiceEntry> entries;
  for (auto const& pool : pools) {
    auto& entry = entries.emplace_back();
    entry.service.key = pool.service.key;
    entry.service.scheduler = pool.balance;
    for (auto const& [key, base] : pool.service.bases) {
      DestinationId const id{pool.service.key, key};
      auto& destination = entry.destinations.emplace_back();
      if (auto const* const there = find(id); there != nullptr) {
        destination = *there;
      } else {
        destination.key = key;
        destination.weight = first_weight(id, base, remembered);
      }
    }
  }
  entries_ = std::move(entries);
}

const ipvs::ServiceEntry* PoolTable::find(const ipvs::ServiceKey& pool) const {
  auto const found = std::ranges::find(
      entries_, pool, [](const ipvs::ServiceEntry& entry) { return entry.service.key; });
  return found == entries_.end() ? nullptr : &*found;
}

ipvs::Destination* PoolTable::find(const DestinationId& id) {
  auto const entry = std::ranges::find(
      entries_, id.service, [](const ipvs::ServiceEntry& one) { return one.service.key; });
  if (entry == entries_.end()) return nullptr;
  auto const found =
      std::ranges::find(entry->destinations, id.destination, &ipvs::Destination::key);
  return found == entry->destinations.end() ? nullptr : &*found;
}

void PoolTable::set_weight(const DestinationId& id, std::uint32_t weight) {
  if (auto* const destination = find(id); destination != nullptr) destination->weight = weight;
}

void PoolTable::count(const DestinationId& id, const PoolCounters& counters) {
  auto* const destination = find(id);
  if (destination == nullptr) return;
  destination->active_connections = counters.current;
  destination->statistics.connections = counters.sessions;
  destination->statistics.in_bytes = counters.bytes_in;
  // That this number moves is the sign of life, and nothing else is read out of it.
  destination->statistics.in_packets = counters.bytes_in;
}

}  // namespace lvs::monitord
