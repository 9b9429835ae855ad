#include "monitorctl/top_rows.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "ipvs/types.hpp"
#include "monitorctl/ipvsadm_order.hpp"

namespace lvs::monitorctl {
namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::vector<std::string> words_of(std::string_view filter) {
  std::vector<std::string> words;
  std::string word;
  for (const char character : in_lower_case(filter) + " ") {
    if (character != ' ') {
      word += character;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

bool passes(const std::vector<std::string>& words, const ServiceStatus& service,
            const DestinationStatus& one) {
  if (words.empty()) return true;
  std::string all;
  for (const auto* const part :
       {&service.service, &one.destination, &one.server, &one.outcome, &one.reading}) {
    all += *part + "\n";
  }
  all = in_lower_case(all);
  return std::ranges::all_of(words,
                             [&](const auto& word) { return all.find(word) != std::string::npos; });
}

/// What the sort goes by; the highest comes first, what is unknown last.
std::optional<double> key_of(const DestinationStatus& one, TopSort sort) {
  const auto number = [](const std::optional<std::uint64_t>& count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
  };
  switch (sort) {
    case TopSort::weight:
      return number(one.current);
    case TopSort::cpu:
      return one.cpu_busy;
    case TopSort::memory:
      return one.mem_available ? std::optional(1 - *one.mem_available) : std::nullopt;
    case TopSort::connections:
      return number(one.active);
    case TopSort::table:
      break;
  }
  return std::nullopt;
}

void sort_rows(std::vector<TopRow>& rows, TopSort sort) {
  if (sort == TopSort::table) return;
  std::ranges::stable_sort(rows, [sort](const TopRow& left, const TopRow& right) {
    // An empty optional is less than every number.
    return key_of(*left.now.status, sort) > key_of(*right.now.status, sort);
  });
}

TopRow row_of(const TopMemory& memory, const ServiceStatus& service, const DestinationStatus& one) {
  static const TopRecord unknown;
  const TopName name{service.service, one.destination};
  const auto* const found = memory.record(name);
  const auto& record = found == nullptr ? unknown : *found;
  TopRow row{{&one, record.rate}, {}, &record.trail};
  if (const auto* const before = memory.before(name)) {
    row.before = TopNumbers{before, record.rate_before};
  }
  return row;
}

/// Moves those that `sorted` names to the front of `all`, in its order.
template <typename Entry, typename Names>
void put_in_order(std::vector<Entry>& all, std::string Entry::*name, const Names& sorted) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t place = 0; place < sorted.size(); ++place)
    places.emplace(sorted[place], place);
  std::ranges::stable_sort(all, {}, [&](const Entry& entry) {
    const auto found = places.find(entry.*name);
    return found == places.end() ? sorted.size() : found->second;
  });
}

void sort_destinations(ServiceStatus& service, const ipvs::ServiceEntry& entry) {
  std::vector<std::string> names;
  for (const auto& destination : entry.destinations)
    names.push_back(ipvs::string_from_destination_key(destination.key));
  put_in_order(service.destinations, &DestinationStatus::destination, names);
}

/// The services and destinations with nothing but their keys.
std::vector<ipvs::ServiceEntry> entries_of(const Status& status) {
  std::vector<ipvs::ServiceEntry> entries;
  for (const auto& service : status.services) {
    const auto key = ipvs::service_key_from_string(service.service);
    if (!key) continue;
    auto& entry = entries.emplace_back();
    entry.service.key = *key;
    for (const auto& one : service.destinations) {
      const auto destination = ipvs::destination_key_from_string(one.destination);
      if (destination) entry.destinations.emplace_back().key = *destination;
    }
  }
  return entries;
}

}  // namespace

std::string_view string_from_top_sort(TopSort sort) {
  switch (sort) {
    case TopSort::weight:
      return "weight";
    case TopSort::cpu:
      return "cpu";
    case TopSort::memory:
      return "memory";
    case TopSort::connections:
      return "connections";
    case TopSort::table:
      break;
  }
  return "table";
}

TopSort next_sort(TopSort sort) {
  const auto* const found = std::ranges::find(top_sorts, sort);
  return found + 1 == top_sorts.end() ? top_sorts.front() : *(found + 1);
}

TopName name_of(const TopGroup& group, const TopRow& row) {
  return {group.service->service, row.now.status->destination};
}

std::vector<TopGroup> top_groups(const TopMemory& memory, TopSort sort, std::string_view filter) {
  std::vector<TopGroup> groups;
  if (memory.status() == nullptr) return groups;
  const auto words = words_of(filter);
  for (const auto& service : memory.status()->services) {
    TopGroup group{&service};
    for (const auto& one : service.destinations) {
      auto row = row_of(memory, service, one);
      group.highest_weight = std::max(group.highest_weight, row.trail->highest_weight());
      if (passes(words, service, one)) group.rows.push_back(row);
    }
    if (group.rows.empty() && !words.empty()) continue;
    sort_rows(group.rows, sort);
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<TopName> names_of(const std::vector<TopGroup>& groups) {
  std::vector<TopName> names;
  for (const auto& group : groups) {
    for (const auto& row : group.rows)
      names.push_back(name_of(group, row));
  }
  return names;
}

std::vector<TopName> without_history(const TopMemory& memory, const std::vector<TopName>& names) {
  std::vector<TopName> found;
  for (const auto& name : names) {
    if (found.size() == most_histories) break;
    const auto* const record = memory.record(name);
    if (record != nullptr && !record->has_history) found.push_back(name);
  }
  return found;
}

void sort_as_listed(Status& status) {
  auto entries = entries_of(status);
  sort_as_ipvsadm(entries);
  std::vector<std::string> names;
  std::map<std::string, const ipvs::ServiceEntry*> by_name;
  for (const auto& entry : entries) {
    names.push_back(ipvs::string_from_service_key(entry.service.key));
    by_name.emplace(names.back(), &entry);
  }
  put_in_order(status.services, &ServiceStatus::service, names);
  for (auto& service : status.services) {
    const auto found = by_name.find(service.service);
    if (found != by_name.end()) sort_destinations(service, *found->second);
  }
}

}  // namespace lvs::monitorctl
