#include "monitorctl/check_pools.hpp"

#include <algorithm>

namespace lvs::monitorctl {
namespace {

bool has_weight(const DestinationStatus& destination) {
  return destination.current.value_or(0) > 0;
}

/// After so many cycles an agent that was never heard is silent to somebody who wonders whether all
/// is well; before, nobody can tell.
constexpr std::uint64_t cycles_to_be_heard = 3;

bool is_unheard(const DestinationStatus& destination) {
  return destination.reading == "silent" || destination.reading == "none";
}

void count_outcome(const DestinationStatus& destination, bool too_early, CheckedPool& pool) {
  const auto& outcome = destination.outcome;
  if (outcome == "frozen" && !too_early) ++pool.frozen;
  if (outcome == "counters_frozen") ++pool.counters_frozen;
  if (outcome == "paused" || outcome == "restoring") ++pool.paused;
  if (outcome == "standby") ++pool.standby;
  if (outcome == "foreign" || outcome == "reasserted") {
    pool.foreign.push_back(destination.destination);
  }
}

/// `begins`: monitord has only just started to ask.
void take_status(const ServiceStatus& status, bool begins, CheckedPool& pool) {
  pool.of_daemon = true;
  double cpu = 0;
  std::size_t known = 0;
  for (const auto& destination : status.destinations) {
    const bool too_early = begins && destination.reading == "none";
    count_outcome(destination, too_early, pool);
    if (!has_weight(destination)) continue;
    if (!is_left_alone(destination)) {
      ++pool.steered;
      if (is_unheard(destination) && !too_early) ++pool.silent;
    }
    if (!destination.cpu_busy || is_unheard(destination)) continue;
    cpu += *destination.cpu_busy;
    ++known;
  }
  if (known > 0) pool.cpu_percent = 100 * cpu / static_cast<double>(known);
}

CheckedPool pool_from_entry(const ipvs::ServiceEntry& entry) {
  CheckedPool pool;
  pool.service = ipvs::string_from_service_key(entry.service.key);
  pool.destinations = entry.destinations.size();
  pool.weighted = static_cast<std::size_t>(
      std::ranges::count_if(entry.destinations, [](const auto& one) { return one.weight > 0; }));
  return pool;
}

CheckedPool pool_from_status(const ServiceStatus& status) {
  CheckedPool pool;
  pool.service = status.service;
  pool.destinations = status.destinations.size();
  pool.weighted = static_cast<std::size_t>(std::ranges::count_if(status.destinations, has_weight));
  return pool;
}

bool is_pool(const ServiceStatus& service) {
  const auto key = ipvs::service_key_from_string(service.service);
  return key && key->is_pool();
}

}  // namespace

std::optional<double> CheckedPool::silent_percent() const {
  if (steered == 0) return std::nullopt;
  return 100 * static_cast<double>(silent) / static_cast<double>(steered);
}

std::vector<CheckedPool> checked_pools(const CheckSights& sights) {
  std::vector<CheckedPool> pools;
  if (sights.table) {
    for (const auto& entry : *sights.table)
      pools.push_back(pool_from_entry(entry));
  }
  if (sights.daemon) {
    for (const auto& service : sights.daemon->services) {
      if (!sights.table || is_pool(service)) pools.push_back(pool_from_status(service));
    }
  }
  if (sights.service) {
    const auto wanted = ipvs::string_from_service_key(*sights.service);
    std::erase_if(pools, [&](const CheckedPool& pool) { return pool.service != wanted; });
  }
  if (!sights.daemon) return pools;
  for (const auto& service : sights.daemon->services) {
    const auto pool = std::ranges::find(pools, service.service, &CheckedPool::service);
    if (pool != pools.end()) {
      take_status(service, sights.daemon->cycle <= cycles_to_be_heard, *pool);
    }
  }
  return pools;
}

}  // namespace lvs::monitorctl
