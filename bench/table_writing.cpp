#include "bench/table_writing.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/spawned.hpp"
#include "bench/table_setup.hpp"
#include "bench/weight_writes.hpp"
#include "kernel/table_facts.hpp"

namespace lvs::bench {
namespace {

constexpr int row_number = 3;
constexpr Bar loop_bar{Bar::Kind::at_most, 1.0 / 20};  ///< 20 times faster than the loop

using Entries = std::vector<ipvs::ServiceEntry>;
using Place = std::pair<ipvs::ServiceKey, ipvs::DestinationKey>;
using Weights = std::map<Place, std::uint32_t>;

Weights weights_of(const Entries& entries) {
  Weights weights;
  for (const auto& entry : entries) {
    for (const auto& destination : entry.destinations)
      weights.emplace(Place{entry.service.key, destination.key}, destination.weight);
  }
  return weights;
}

/// Another weight for everybody, 1 to 100.
std::uint32_t next_weight(std::uint32_t weight) {
  constexpr std::uint32_t step = 37, weights = 100;
  return (weight + step) % weights + 1;
}

std::vector<Change> changes_for(const Entries& entries, std::size_t limit) {
  std::vector<Change> changes;
  for (const auto& entry : entries) {
    for (const auto& destination : entry.destinations) {
      if (changes.size() == limit) return changes;
      changes.push_back({entry.service.key, destination, next_weight(destination.weight)});
    }
  }
  return changes;
}

/// The table and what has to stay as it is, whoever writes weights.
class Written {
 public:
  explicit Written(const TableShape& shape) : table_(patience) {
    build_table(shape);
    entries_ = read_table(table_);
    facts_ = guest::facts_from_table(entries_);
  }

  /// By the clock, in ms for as many changes as the table has destinations.
  double time_of(const Way& way, std::size_t slow_changes) {
    const auto all = destinations_in(entries_);
    const auto changes = changes_for(entries_, way.a_process_each ? slow_changes : all);
    auto wanted = weights_of(entries_);
    for (const auto& change : changes)
      wanted.at({change.service, change.as_read.key}) = change.weight;
    if (way.prepare) way.prepare(changes);
    const double took = milliseconds_of([&] { way.write(changes); });
    entries_ = read_table(table_);
    require_written(way, wanted);
    return took * static_cast<double>(all) / static_cast<double>(changes.size());
  }

  ipvs::NetlinkTable& table() { return table_; }

 private:
  void require_written(const Way& way, const Weights& wanted) const {
    if (weights_of(entries_) != wanted) {
      throw std::runtime_error(way.name + " did not write what it was told");
    }
    if (guest::facts_from_table(entries_) != facts_) {
      throw std::runtime_error(way.name + " changed something besides weights");
    }
  }

  ipvs::NetlinkTable table_;
  Entries entries_{};
  guest::TableFacts facts_{};
};

std::vector<MeasuredRow> rows_from(const std::string& prefix, const std::vector<Way>& ways,
                                   const std::vector<std::vector<double>>& times,
                                   const std::string& note) {
  const auto row = [&](std::size_t measured, std::size_t reference) {
    const auto& against = ways[reference];
    return MeasuredRow{row_number,
                       "ms",
                       {prefix + ways[measured].name, times[measured]},
                       {against.name, times[reference]},
                       against.a_process_each ? std::optional(loop_bar) : std::nullopt,
                       against.a_process_each ? note : ""};
  };
  std::vector<MeasuredRow> rows;
  for (std::size_t reference = 1; reference < ways.size(); ++reference)
    rows.push_back(row(0, reference));
  // The batches alone against everybody else's.
  for (std::size_t reference = 2; reference < ways.size(); ++reference)
    rows.push_back(row(1, reference));
  return rows;
}

}  // namespace

std::vector<MeasuredRow> writing_rows(const WritingPlan& plan, std::size_t rounds) {
  Written written(plan.shape);
  const auto ways = ways_to_write(written.table());
  std::vector<std::vector<double>> times(ways.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < ways.size(); ++i)
      times[i].push_back(written.time_of(ways[i], plan.slow_changes));
  }
  const auto all = plan.shape.services * plan.shape.destinations;
  const auto slow = std::min(plan.slow_changes, all);
  const auto note = slow == all ? ""
                                : "times " + std::to_string(all / slow) + " of " +
                                      std::to_string(slow) + " changes";
  return rows_from("write " + name_of(plan.shape) + ": ", ways, times, note);
}

}  // namespace lvs::bench
