#include "monitord/apply.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace lvs::monitord {
namespace {

const ipvs::Destination* find_destination(const ipvs::ServiceEntry& entry,
                                          const ipvs::DestinationKey& key) {
  auto const found = std::ranges::find(entry.destinations, key, &ipvs::Destination::key);
  return found == entry.destinations.end() ? nullptr : &*found;
}

Applied::Result result_of(const ipvs::Error& error) {
  bool const vanished = error.kind == ipvs::ErrorKind::no_such_service ||
                        error.kind == ipvs::ErrorKind::no_such_destination;
  return vanished ? Applied::Result::gone : Applied::Result::failed;
}

void fail(Applied& item, const ipvs::Error& error) {
  item.result = result_of(error);
  item.error = error.message;
  item.perhaps_done = error.perhaps_done;
}

/// What is still as it was decided on.
struct Batch {
  std::vector<Applied*> items{};
  std::vector<WeightChange> changes{};
  std::vector<ipvs::WeightWrite> writes{};
};

/// Somebody in the pool keeps a weight above 0 when these are written: another program may have
/// drained the rest since the decision.
bool leaves_a_weight(std::span<const Applied> items, const ipvs::ServiceEntry& entry) {
  return std::ranges::any_of(entry.destinations, [&](const ipvs::Destination& destination) {
    auto const item = std::ranges::find(items, destination.key,
                                        [](const Applied& one) { return one.change.destination; });
    bool const is_planned = item != items.end() && item->change.from == destination.weight;
    return (is_planned ? item->change.to : destination.weight) > 0;
  });
}

/// What is not, gets its result here.
Batch batch_from_items(std::span<Applied> items, const ipvs::ServiceEntry& entry) {
  Batch batch;
  bool const may_drain = leaves_a_weight(items, entry);
  for (auto& item : items) {
    auto const* const as_read = find_destination(entry, item.change.destination);
    if (as_read == nullptr) {
      item.result = Applied::Result::gone;
    } else if (as_read->weight != item.change.from || (item.change.to == 0 && !may_drain)) {
      item.result = Applied::Result::changed_meanwhile;
    } else {
      batch.items.push_back(&item);
      batch.changes.push_back(item.change);
      batch.writes.push_back({*as_read, item.change.to});
    }
  }
  return batch;
}

/// A 0 that nobody would know for monitord's own after a crash would stay for ever.
void drop_zeros(Batch& batch) {
  Batch kept;
  for (std::size_t i = 0; i < batch.items.size(); ++i) {
    if (batch.changes[i].to == 0) {
      batch.items[i]->result = Applied::Result::unrecorded;
      continue;
    }
    kept.items.push_back(batch.items[i]);
    kept.changes.push_back(batch.changes[i]);
    kept.writes.push_back(batch.writes[i]);
  }
  batch = std::move(kept);
}

void write_batch(std::span<Applied> items, ipvs::Table& table, const IntentSink& intent) {
  auto const& service = items.front().service;
  auto const entry = table.service(service);
  if (!entry) {
    for (auto& item : items)
      fail(item, entry.error());
    return;
  }
  auto batch = batch_from_items(items, *entry);
  if (batch.items.empty()) return;
  if (!intent(service, batch.changes)) drop_zeros(batch);
  if (batch.items.empty()) return;
  auto const results = table.set_weights(service, batch.writes);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) fail(*batch.items[i], results[i].error());
  }
}

void check_read_back(Applied& item, const ipvs::ServiceEntry& entry) {
  if (item.result != Applied::Result::written) return;
  auto const* const found = find_destination(entry, item.change.destination);
  // Missing from one dump is not gone (law 10): the kernel has said that it was written.
  if (found != nullptr && found->weight != item.change.to) {
    item.result = Applied::Result::overwritten;
  }
}

std::vector<Applied> apply_service(const ServicePlan& plan, ipvs::Table& table,
                                   const IntentSink& intent) {
  std::vector<Applied> items;
  for (auto const& change : plan.changes) {
    items.push_back({plan.service, change, Applied::Result::written, {}});
  }
  for (std::span<Applied> rest(items); !rest.empty();) {
    auto const batch = rest.first(std::min(rest.size(), ipvs::batch_limit));
    write_batch(batch, table, intent);
    rest = rest.subspan(batch.size());
  }
  auto const after = table.service(plan.service);
  // Without a read-back the writes still happened; the next cycle sees what came of them.
  if (after) {
    for (auto& item : items)
      check_read_back(item, *after);
  }
  return items;
}

}  // namespace

std::vector<Applied> apply(const Plan& plan, ipvs::Table& table, const IntentSink& intent) {
  std::vector<Applied> applied;
  for (auto const& service : plan) {
    std::ranges::move(apply_service(service, table, intent), std::back_inserter(applied));
  }
  return applied;
}

std::vector<Applied> applied_dry(const Plan& plan) {
  std::vector<Applied> applied;
  for (auto const& service : plan) {
    for (auto const& change : service.changes) {
      applied.push_back({service.service, change, Applied::Result::dry_run, {}});
    }
  }
  return applied;
}

}  // namespace lvs::monitord
