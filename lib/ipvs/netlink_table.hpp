#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "ipvs/conversation.hpp"
#include "ipvs/table.hpp"

namespace lvs::ipvs {

/// The kernel's IPVS table over generic netlink.
///
/// Opened at the first call, and the family is resolved again when it went away, so that a program
/// may start before ip_vs is there and outlive its reload. Resolving makes the kernel load ip_vs.
/// Destinations are never added: SET_DEST only, and what an operator removed stays removed.
///
/// Threading: one thread. Errors: values, never exceptions; after any of them the next call starts
/// clean. Every call ends by the deadline (only a module load inside the kernel is not bounded).
/// Monitoring: counters().
class NetlinkTable : public Table {
 public:
  struct Counters {
    std::uint64_t requests{};           ///< messages sent, of every kind
    std::uint64_t set_destination{};    ///< SET_DEST among them: equals the weights written
    std::uint64_t interrupted_dumps{};  ///< marked inconsistent by the kernel and read again
    std::uint64_t failures{};           ///< requests without a usable answer, refusals included

    friend bool operator==(const Counters&, const Counters&) = default;
  };

  /// `time_limit` is for one whole call, reading the full table included.
  explicit NetlinkTable(std::chrono::milliseconds time_limit = std::chrono::seconds(1));
  NetlinkTable(std::unique_ptr<Transport> transport, std::chrono::milliseconds time_limit);

  tl::expected<std::vector<ServiceEntry>, Error> services() override;
  tl::expected<ServiceEntry, Error> service(const ServiceKey& key) override;
  /// All in one send. A write whose ack did not come or was lost is `perhaps_done`; one that the
  /// kernel refused is not.
  std::vector<tl::expected<void, Error>> set_weights(const ServiceKey& key,
                                                     std::span<const WeightWrite> writes) override;

  tl::expected<KernelInfo, Error> info();

  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  using Finished = Conversation::Finished;
  using Failure = Conversation::Failure;
  using OnEntry = Conversation::OnEntry;
  template <typename Value>
  struct Dump {
    std::vector<Value> values{};
    std::size_t pieces{};
  };
  /// A read command, and what the kernel's refusal of it means.
  struct Query {
    std::uint8_t command{};
    Request::Shape shape{};
    Bytes attributes{};
    std::function<Error(int)> refusal{};
  };

  tl::expected<std::uint16_t, Error> family(Clock::time_point deadline);
  bool family_is_stale(Clock::time_point deadline);
  tl::expected<Finished, Failure> send(const Request& request, Clock::time_point deadline,
                                       const OnEntry& on_entry);
  std::vector<tl::expected<void, Failure>> order_writes(std::span<const Request> requests,
                                                        Clock::time_point deadline);
  tl::expected<Finished, Error> read(const Query& query, Clock::time_point deadline,
                                     const OnEntry& on_entry);
  template <typename Value, typename Decode>
  tl::expected<Dump<Value>, Error> read_all(const Query& query, Clock::time_point deadline,
                                            Decode decode);

  tl::expected<Service, Error> read_service(const ServiceKey& key, Clock::time_point deadline);
  tl::expected<Dump<Destination>, Error> read_destinations(const ServiceKey& key,
                                                           Clock::time_point deadline);
  tl::expected<Dump<Service>, Error> read_services(Clock::time_point deadline);
  tl::expected<void, Error> drop_deleted(std::vector<ServiceEntry>& entries,
                                         std::set<ServiceKey> uncertain,
                                         Clock::time_point deadline);

  Conversation conversation_;
  std::chrono::milliseconds time_limit_;
  std::optional<std::uint16_t> family_{};  // empty: to be resolved
  Counters counters_{};
};

}  // namespace lvs::ipvs
