#pragma once

// A Table in memory that records what was written and fails on demand: for tests, the replay and
// the simulator.

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ipvs/error.hpp"
#include "ipvs/table.hpp"

namespace lvs::ipvs {

/// Behaves as the kernel does for reads and weight writes: a write changes the weight and nothing
/// else, an unknown service or destination is an error, nothing is ever added.
class FakeTable : public Table {
 public:
  struct Written {
    ServiceKey service{};
    DestinationKey destination{};
    std::uint32_t weight{};

    friend bool operator==(const Written&, const Written&) = default;
  };
  using Key = std::pair<ServiceKey, DestinationKey>;

  FakeTable() = default;
  explicit FakeTable(std::vector<ServiceEntry> initial) : entries(std::move(initial)) {}

  std::vector<ServiceEntry> entries{};   ///< the "kernel"; tests may change it at any time
  std::vector<Written> written{};        ///< successful writes, in order
  std::size_t calls{};                   ///< reads, and each write of a batch
  std::size_t batches{};                 ///< calls of set_weights()
  std::optional<std::size_t> fail_at{};  ///< that call (counted from 0) fails with `failure`
  Error failure{ErrorKind::refused, EIO, "the fake table was told to fail"};
  std::map<ServiceKey, Error> unreadable{};      ///< service() on these fails
  std::map<Key, Error> unwritable{};             ///< writes of these fail and are not done
  std::map<Key, Error> unanswered{};             ///< writes of these are done and called failed
  std::optional<Error> broken{};                 ///< every call fails
  std::function<void(FakeTable&)> after_read{};  ///< somebody else acts between read and write
  std::function<void(FakeTable&)> before_write{};
  std::function<void(FakeTable&)> after_write{};  ///< somebody else acts before the read-back

  tl::expected<std::vector<ServiceEntry>, Error> services() override {
    if (auto error = next_failure()) return tl::unexpected(*std::move(error));
    auto result = entries;
    run(after_read);
    return result;
  }

  tl::expected<ServiceEntry, Error> service(const ServiceKey& key) override {
    if (auto error = next_failure()) return tl::unexpected(*std::move(error));
    if (const auto found = unreadable.find(key); found != unreadable.end()) {
      return tl::unexpected(found->second);
    }
    const auto* const entry = find(key);
    if (entry == nullptr) return tl::unexpected(no_such_service_error(key));
    auto result = *entry;
    run(after_read);
    return result;
  }

  std::vector<tl::expected<void, Error>> set_weights(const ServiceKey& key,
                                                     std::span<const WeightWrite> writes) override {
    assert(writes.size() <= batch_limit);
    ++batches;
    std::vector<tl::expected<void, Error>> results;
    for (const auto& write : writes)
      results.push_back(write_one(key, write.as_read, write.weight));
    return results;
  }

  /// Null when there is none.
  ServiceEntry* find(const ServiceKey& key) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry.service.key == key; });
    return found == entries.end() ? nullptr : &*found;
  }

  Destination* find(const ServiceKey& key, const DestinationKey& destination) {
    auto* const entry = find(key);
    if (entry == nullptr) return nullptr;
    auto& all = entry->destinations;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto& each) { return each.key == destination; });
    return found == all.end() ? nullptr : &*found;
  }

 private:
  tl::expected<void, Error> write_one(const ServiceKey& key, const Destination& as_read,
                                      std::uint32_t weight) {
    if (auto error = next_failure()) return tl::unexpected(of_write(*std::move(error)));
    run(before_write);
    if (const auto found = unwritable.find({key, as_read.key}); found != unwritable.end()) {
      return tl::unexpected(of_write(found->second));
    }
    if (find(key) == nullptr) return tl::unexpected(no_such_service_error(key));
    auto* const destination = find(key, as_read.key);
    if (destination == nullptr) return tl::unexpected(no_such_destination_error(key, as_read.key));
    // A full replace, as SET_DEST is: what was read is what will stand, but for the live counters.
    destination->forwarding = as_read.forwarding;
    destination->tunnel = as_read.tunnel;
    destination->upper_threshold = as_read.upper_threshold;
    destination->lower_threshold = as_read.lower_threshold;
    destination->weight = weight;
    written.push_back({key, as_read.key, weight});
    run(after_write);
    if (const auto found = unanswered.find({key, as_read.key}); found != unanswered.end()) {
      return tl::unexpected(of_write(found->second));
    }
    return {};
  }

  /// Whoever lost an answer does not know what it said.
  static Error of_write(Error error) {
    error.perhaps_done = error.kind == ErrorKind::timed_out || error.kind == ErrorKind::malformed;
    return error;
  }

  std::optional<Error> next_failure() {
    const bool fails_now = calls++ == fail_at;
    if (broken) return broken;
    return fails_now ? std::optional(failure) : std::nullopt;
  }

  void run(const std::function<void(FakeTable&)>& hook) {
    if (hook) hook(*this);
  }
};

}  // namespace lvs::ipvs
