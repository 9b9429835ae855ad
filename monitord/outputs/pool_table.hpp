#pragma once

// Declared pools as entries of a table: no kernel holds their weights, so they are held here. Pure:
// what has to survive a restart is in the state journal, as for every destination.

#include <cstdint>
#include <span>
#include <vector>

#include "ipvs/types.hpp"
#include "monitord/config.hpp"
#include "monitord/remembered.hpp"

namespace lvs::monitord {

/// What the output's own counters say of a server.
struct PoolCounters {
  std::uint64_t sessions{};  ///< since its start
  std::uint64_t bytes_in{};  ///< likewise
  std::uint32_t current{};   ///< sessions now

  friend bool operator==(const PoolCounters&, const PoolCounters&) = default;
};

class PoolTable {
 public:
  /// A server that is there keeps its weight and counters. A new one starts with the weight that is
  /// remembered of it, else with its base. A remembered 0 counts only where it is monitord's own:
  /// nobody else can have set one, and nobody else would ever end it.
  void declare(std::span<const PoolConfig> pools, const Remembered& remembered);

  /// In the order of the configuration, servers by their keys. Scheduler is what balances the pool.
  [[nodiscard]] const std::vector<ipvs::ServiceEntry>& entries() const { return entries_; }
  /// Null when no such pool is declared.
  [[nodiscard]] const ipvs::ServiceEntry* find(const ipvs::ServiceKey& pool) const;

  /// Of a server that is not there nothing happens.
  void set_weight(const DestinationId& id, std::uint32_t weight);
  void count(const DestinationId& id, const PoolCounters& counters);

 private:
  ipvs::Destination* find(const DestinationId& id);

  std::vector<ipvs::ServiceEntry> entries_{};
};

}  // namespace lvs::monitord
