#pragma once

// A director in memory: a table, readings and a clock that move only when a test says so.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "monitord/decide.hpp"
#include "monitord/order.hpp"

namespace lvs::monitord::testing {

using namespace std::chrono_literals;

inline ipvs::IpAddress address(std::string_view text) {
  auto const parsed = ipvs::ip_address_from_string(text);
  if (!parsed) throw std::invalid_argument(std::string(text));
  return *parsed;
}

inline ipvs::ServiceKey service_key(std::string_view text) {
  auto const parsed = ipvs::service_key_from_string(text);
  if (!parsed) throw std::invalid_argument(std::string(text));
  return *parsed;
}

inline ipvs::DestinationKey destination_key(std::string_view text) {
  auto const parsed = ipvs::destination_key_from_string(text);
  if (!parsed) throw std::invalid_argument(std::string(text));
  return *parsed;
}

inline ipvs::Destination destination(std::string_view key, std::uint32_t weight) {
  ipvs::Destination made;
  made.key = destination_key(key);
  made.weight = weight;
  made.active_connections = 1;  // a pool without any is a standby's, where nothing is written
  return made;
}

inline ipvs::ServiceEntry service(std::string_view key, std::string_view scheduler,
                                  const std::vector<std::pair<std::string, std::uint32_t>>& pool) {
  ipvs::ServiceEntry entry;
  entry.service.key = service_key(key);
  entry.service.scheduler = scheduler;
  for (auto const& [name, weight] : pool)
    entry.destinations.push_back(destination(name, weight));
  return entry;
}

/// Runs cycles and carries writes out on its own table, as the kernel would.
/// Out of line: g++ 12 takes what it would inline for uninitialized.
[[gnu::noinline]] inline Config config_that_writes() {
  Config config;
  config.dry_run = false;
  return config;
}

struct Director {
  Config config{config_that_writes()};
  State state{};
  std::vector<ipvs::ServiceEntry> table{};
  Readings readings{};
  Moment now{1000s};
  std::size_t writes{};
  bool serves{true};  ///< packets come for every open connection
  bool counters_run{};

  ipvs::Destination& at(std::string_view service_name, std::string_view name) {
    auto const key = service_key(service_name);
    auto const entry = std::ranges::find_if(
        table, [&](auto const& candidate) { return candidate.service.key == key; });
    if (entry == table.end()) throw std::out_of_range(std::string(service_name));
    auto const found =
        std::ranges::find(entry->destinations, destination_key(name), &ipvs::Destination::key);
    if (found == entry->destinations.end()) throw std::out_of_range(std::string(name));
    return *found;
  }

  /// The agent of a server answers right now.
  void report(std::string_view server, double cpu_busy, double mem_available) {
    readings.insert_or_assign(address(server), Reading{now, cpu_busy, mem_available, {}, false});
  }

  /// As monitorctl orders it.
  tl::expected<std::string, ControlError> order(const Order& order) {
    return take_order(state, order, {table, config, now, 0});
  }

  /// One cycle without carrying anything out.
  [[nodiscard]] Decision decided() const {
    return decide(state, {now, table, readings, {}, counters_run}, config);
  }

  /// One cycle: decide, write, remember; the clock moves on afterwards.
  Decision cycle() {
    if (serves) pass_packets();
    auto decision = decided();
    std::vector<Applied> applied;
    for (auto const& plan : decision.plan) {
      for (auto const& change : plan.changes) {
        carry_out(plan.service, change);
        applied.push_back({plan.service, change, Applied::Result::written, {}});
      }
    }
    state = state_after_apply(decision.next, applied, now);
    now += config.interval;
    return decision;
  }

  void pass_packets() {
    for (auto& entry : table) {
      for (auto& destination : entry.destinations)
        destination.statistics.in_packets += destination.active_connections;
    }
  }

 private:
  void carry_out(const ipvs::ServiceKey& key, const WeightChange& change) {
    for (auto& entry : table) {
      if (entry.service.key != key) continue;
      for (auto& candidate : entry.destinations) {
        if (candidate.key == change.destination) candidate.weight = change.to;
      }
    }
    ++writes;
  }
};

/// With the strategy that answers at once, and no wait between writes: scenarios are short.
inline Director prompt_director(std::vector<ipvs::ServiceEntry> table) {
  Director director;
  director.config.defaults.strategy = StrategyKind::headroom;
  director.config.defaults.min_write_interval = 0s;
  director.table = std::move(table);
  return director;
}

inline const Verdict& verdict_of(const Decision& decision, std::string_view name) {
  auto const key = destination_key(name);
  auto const found = std::ranges::find(decision.verdicts, key, &Verdict::destination);
  if (found == decision.verdicts.end()) throw std::out_of_range(std::string(name));
  return *found;
}

/// Of a decision that is gone afterwards: a copy.
inline Verdict verdict_of(Decision&& decision, std::string_view name) {
  return verdict_of(std::as_const(decision), name);
}

}  // namespace lvs::monitord::testing
