#pragma once

// The table of `monitorctl top` as values: which destinations, in which order. Pure.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitorctl/top_memory.hpp"

namespace lvs::monitorctl {

/// Order of the destinations within their service; services stay as `list` has them.
enum class TopSort { table, weight, cpu, memory, connections };

inline constexpr std::array top_sorts{TopSort::table, TopSort::weight, TopSort::cpu,
                                      TopSort::memory, TopSort::connections};
std::string_view string_from_top_sort(TopSort sort);
/// The one after it, round and round.
TopSort next_sort(TopSort sort);

/// What the cells of a row are made of.
struct TopNumbers {
  const DestinationStatus* status{};
  std::optional<double> rate{};
};

struct TopRow {
  TopNumbers now{};
  std::optional<TopNumbers> before{};  ///< at the poll before
  const TopTrail* trail{};
};

struct TopGroup {
  const ServiceStatus* service{};
  double highest_weight{1};  ///< in all its trails: the top of its sparklines
  std::vector<TopRow> rows{};
};

TopName name_of(const TopGroup& group, const TopRow& row);

/// Services with a destination that `filter` lets through: each of its words is in the names of
/// service, destination or server, in the outcome or in the state of the reading. Upper and lower
/// case are the same. Refers to `memory`.
std::vector<TopGroup> top_groups(const TopMemory& memory, TopSort sort, std::string_view filter);

/// Of all rows, in their order.
std::vector<TopName> names_of(const std::vector<TopGroup>& groups);

/// Histories are asked for at most that many at a time: each costs the daemon's loop a millisecond
/// or two.
inline constexpr std::size_t most_histories = 24;
/// The first of `names` whose history is not in.
std::vector<TopName> without_history(const TopMemory& memory, const std::vector<TopName>& names);

/// Services and destinations in the order of `monitorctl list`; names that are none come last.
void sort_as_listed(Status& status);

}  // namespace lvs::monitorctl
