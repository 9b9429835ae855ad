#include "monitorctl/list_order.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <utility>

namespace lvs::monitorctl {
namespace {

/// Smaller comes first.
struct Rank {
  bool unknown{};
  double first{}, second{};
  std::string name{};
};

bool precedes(const Rank& one, const Rank& other) {
  if (one.unknown != other.unknown) return other.unknown;
  if (one.first != other.first) return one.first < other.first;
  if (one.second != other.second) return one.second < other.second;
  return one.name < other.name;
}

Rank smallest_first(const std::optional<double>& value) {
  return {.unknown = !value, .first = value.value_or(0)};
}

Rank largest_first(const std::optional<double>& value) {
  return {.unknown = !value, .first = -value.value_or(0)};
}

Rank rank_of(const ipvs::Destination& destination, const DestinationStatus* found, SortKey key) {
  const DestinationStatus unknown;
  const auto& status = found == nullptr ? unknown : *found;
  switch (key) {
    case SortKey::name:
      return {.unknown = status.server.empty(), .name = status.server};
    case SortKey::weight:
      return largest_first(destination.weight);
    case SortKey::cpu:
      return largest_first(status.cpu_busy);
    case SortKey::memory:
      return smallest_first(status.mem_available);
    case SortKey::connections:
      return {.first = -static_cast<double>(destination.active_connections),
              .second = -static_cast<double>(destination.inactive_connections)};
  }
  return {};
}

}  // namespace

const std::vector<std::string>& sort_key_words() {
  static const std::vector<std::string> words{"name", "weight", "cpu", "memory", "connections"};
  return words;
}

std::optional<SortKey> sort_key_from_word(std::string_view word) {
  const auto& words = sort_key_words();
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<SortKey>(found - words.begin());
}

bool is_of_daemon(SortKey key) {
  return key == SortKey::name || key == SortKey::cpu || key == SortKey::memory;
}

void sort_destinations(std::vector<ipvs::ServiceEntry>& services, SortKey key,
                       const StatusIndex& index) {
  for (auto& entry : services) {
    const auto service = ipvs::string_from_service_key(entry.service.key);
    std::vector<std::pair<Rank, ipvs::Destination>> ranked;
    ranked.reserve(entry.destinations.size());
    for (auto& destination : entry.destinations) {
      const auto* const status =
          index.find(service, ipvs::string_from_destination_key(destination.key));
      auto rank = rank_of(destination, status, key);
      ranked.emplace_back(std::move(rank), std::move(destination));
    }
    std::ranges::stable_sort(ranked, precedes, &std::pair<Rank, ipvs::Destination>::first);
    for (std::size_t i = 0; i < ranked.size(); ++i)
      entry.destinations[i] = std::move(ranked[i].second);
  }
}

}  // namespace lvs::monitorctl
