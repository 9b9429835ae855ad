#include "monitord/outputs/stats_weights.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lvs::monitord {
namespace {

const ServerStats* stats_of(const PoolConfig& pool, const std::string& name,
                            std::span<const ServerStats> stats) {
  auto const found = std::ranges::find_if(stats, [&](const ServerStats& one) {
    return one.backend == pool.backend && one.server == name;
  });
  return found == stats.end() ? nullptr : &*found;
}

/// Set by hand, or on the way down: the weight that is shown is 0 whatever it was told.
bool is_taken_out(const ServerStats& stats) {
  return stats.status.starts_with("MAINT") || stats.status.starts_with("DOWN");
}

}  // namespace

std::map<ipvs::DestinationKey, PoolCounters> counters_of_pool(const PoolConfig& pool,
                                                              std::span<const ServerStats> stats) {
  std::map<ipvs::DestinationKey, PoolCounters> counters;
  for (auto const& [key, name] : pool.names) {
    auto const* const one = stats_of(pool, name, stats);
    if (one != nullptr) counters.emplace(key, one->counters);
  }
  return counters;
}

std::string note_about_zeros(const PoolConfig& pool, const ipvs::ServiceEntry& entry,
                             std::span<const ServerStats> stats) {
  std::string names;
  for (auto const& destination : entry.destinations) {
    auto const name = pool.names.find(destination.key);
    if (destination.weight == 0 || name == pool.names.end()) continue;
    auto const* const one = stats_of(pool, name->second, stats);
    if (one == nullptr || is_taken_out(*one) || one->weight != 0U) continue;
    names.append(names.empty() ? "" : ", ").append(name->second);
  }
  if (names.empty()) return {};
  return fmt::format(
      "{}: HAProxy has {} at weight 0, and monitord does not: somebody drained it there, or its "
      "weight in haproxy.cfg is not the base weight here",
      ipvs::string_from_service_key(pool.service.key), names);
}

}  // namespace lvs::monitord
