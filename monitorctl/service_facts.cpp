#include "monitorctl/service_facts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lvs::monitorctl {
namespace {

using Readings = std::span<const ServiceReading>;

/// Nearly always at the place where it was seen last.
const ipvs::Destination* find(const ServiceReading& reading, const ipvs::DestinationKey& key,
                              std::size_t place) {
  const auto& all = reading.entry.destinations;
  if (place < all.size() && all[place].key == key) return &all[place];
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.key == key; });
  return found == all.end() ? nullptr : &*found;
}

/// Indices of two looks.
struct Window {
  std::size_t first{}, last{};
};

/// The kernel renews its counters every 2 s only. A time that begins and ends where they were seen
/// to move is right within the distance of two looks; where they moved less than twice it is all.
Window counted_window(Readings readings) {
  Window window{0, readings.size() - 1};
  std::vector<std::size_t> moved;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    const auto before = readings[i - 1].entry.service.statistics.connections;
    if (readings[i].entry.service.statistics.connections != before) moved.push_back(i);
  }
  if (moved.size() >= 2) window = {moved.front(), moved.back()};
  return window;
}

/// Empty where the destination was not there, or somebody has put the counters back.
std::optional<std::uint64_t> counted(Readings readings, const Window& window,
                                     const DestinationFacts& facts) {
  const auto& key = facts.destination.key;
  const auto* const before = find(readings[window.first], key, facts.place);
  const auto* const after = find(readings[window.last], key, facts.place);
  if (before == nullptr || after == nullptr) return std::nullopt;
  if (after->statistics.connections < before->statistics.connections) return std::nullopt;
  return after->statistics.connections - before->statistics.connections;
}

void take_connections(Readings readings, DestinationFacts& facts) {
  double looks = 0;
  for (const auto& reading : readings) {
    const auto* const seen = find(reading, facts.destination.key, facts.place);
    if (seen == nullptr) continue;
    ++looks;
    facts.active += seen->active_connections;
    facts.inactive += seen->inactive_connections;
    facts.most =
        std::max(facts.most, std::uint64_t{seen->active_connections} + seen->inactive_connections);
    if (seen->active_connections <= 1) facts.quiet += 1;
    if (seen->weight != facts.destination.weight) facts.weight_changed = true;
  }
  facts.active /= looks;
  facts.inactive /= looks;
  facts.quiet /= looks;
}

std::optional<double> above_zero(const std::optional<double>& value) {
  return value && *value > 0 ? value : std::nullopt;
}

void take_status(const DestinationStatus& status, DestinationFacts& facts) {
  if (status.base && *status.base > 0) facts.base = static_cast<double>(*status.base);
  facts.capacity = above_zero(status.capacity);
  if (status.reading == "fresh") facts.cpu_busy = status.cpu_busy;
}

bool is_steered(const DestinationStatus& status) {
  return !status.outcome.empty() && !is_left_alone(status);
}

std::uint64_t all_active(const ServiceReading& reading) {
  std::uint64_t sum = 0;
  for (const auto& destination : reading.entry.destinations)
    sum += destination.active_connections;
  return sum;
}

std::optional<double> rate_of(const ServiceFacts& facts) {
  if (!facts.complete || !(facts.counted_s > 0)) return std::nullopt;
  double sum = 0;
  for (const auto& one : facts.destinations) {
    if (!one.new_connections) return std::nullopt;
    sum += static_cast<double>(*one.new_connections);
  }
  return sum / facts.counted_s;
}

/// Entries of UDP and of one packet are never active: there is no law to apply.
std::optional<double> connection_time(const ServiceFacts& facts) {
  const bool one_packet = (facts.service.flags & ipvs::service_flag::one_packet) != 0;
  if (!facts.rate || *facts.rate <= 0 || one_packet || is_udp(facts.service)) return std::nullopt;
  return facts.active / *facts.rate;
}

}  // namespace

ServiceFacts facts_from(Readings readings, bool complete, const Status* status) {
  const auto& last = readings.back().entry;
  const auto window = counted_window(readings);
  const auto index = status == nullptr ? StatusIndex() : StatusIndex(*status);
  ServiceFacts facts;
  facts.name = ipvs::string_from_service_key(last.service.key);
  facts.service = last.service;
  facts.complete = complete;
  facts.watched_s = readings.back().at_s - readings.front().at_s;
  facts.counted_s = readings[window.last].at_s - readings[window.first].at_s;
  for (const auto& reading : readings)
    facts.open_moved = facts.open_moved || all_active(reading) != all_active(readings.front());
  for (std::size_t place = 0; place < last.destinations.size(); ++place) {
    auto& one = facts.destinations.emplace_back();
    one.destination = last.destinations[place];
    one.name = ipvs::string_from_destination_key(one.destination.key);
    one.place = place;
    take_connections(readings, one);
    if (complete) one.new_connections = counted(readings, window, one);
    facts.active += one.active;
    facts.inactive += one.inactive;
    const auto* const known = index.find(facts.name, one.name);
    if (known == nullptr) continue;
    take_status(*known, one);
    facts.steered = facts.steered || (!status->dry_run && is_steered(*known));
  }
  std::sort(facts.destinations.begin(), facts.destinations.end(),
            [](const auto& a, const auto& b) { return a.destination.key < b.destination.key; });
  facts.rate = rate_of(facts);
  facts.connection_s = connection_time(facts);
  return facts;
}

std::vector<const DestinationFacts*> dealt_to(const ServiceFacts& facts) {
  std::vector<const DestinationFacts*> pool;
  for (const auto& one : facts.destinations) {
    if (one.destination.weight > 0) pool.push_back(&one);
  }
  return pool;
}

std::vector<std::uint32_t> weights_of(const std::vector<const DestinationFacts*>& pool) {
  std::vector<std::uint32_t> weights;
  weights.reserve(pool.size());
  for (const auto* const one : pool)
    weights.push_back(one->destination.weight);
  return weights;
}

std::vector<std::uint32_t> in_list_order(const std::vector<const DestinationFacts*>& pool,
                                         const std::vector<std::uint32_t>& weights) {
  std::vector<std::size_t> order(pool.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return pool[a]->place < pool[b]->place; });
  std::vector<std::uint32_t> ordered;
  ordered.reserve(order.size());
  for (const auto i : order)
    ordered.push_back(weights[i]);
  return ordered;
}

bool is_persistent(const ipvs::Service& service) {
  return (service.flags & ipvs::service_flag::persistent) != 0;
}

bool is_udp(const ipvs::Service& service) {
  return service.key.protocol == ipvs::Protocol::udp;
}

}  // namespace lvs::monitorctl
