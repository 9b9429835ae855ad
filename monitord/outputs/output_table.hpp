#pragma once

// The table that a cycle sees: the kernel's services and the declared pools, and the way of each
// weight to its output. Holds no decision and does no I/O of its own.
//
// Threading: one thread. Errors: those of the kernel's table, and what outputs say.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ipvs/table.hpp"
#include "monitord/config.hpp"
#include "monitord/outputs/followed_weights.hpp"
#include "monitord/outputs/output.hpp"
#include "monitord/outputs/pool_table.hpp"
#include "monitord/remembered.hpp"

namespace lvs::monitord {

class OutputTable : public ipvs::Table {
 public:
  /// `outputs`: at most one of a kind; they outlive this.
  OutputTable(ipvs::Table& kernel, std::vector<Output*> outputs, std::function<Moment()> clock)
      : kernel_(kernel), outputs_(std::move(outputs)), clock_(std::move(clock)) {}

  /// At the start and after each reload, which has nothing remembered to add.
  void configure(const Config& config, const Remembered& remembered = {});

  /// One answer: where the kernel cannot be read there is none, not even of the pools. It is not
  /// asked where the configuration manages no service of it and declares pools.
  tl::expected<std::vector<ipvs::ServiceEntry>, ipvs::Error> services() override;
  tl::expected<ipvs::ServiceEntry, ipvs::Error> service(const ipvs::ServiceKey& key) override;
  std::vector<tl::expected<void, ipvs::Error>> set_weights(
      const ipvs::ServiceKey& key, std::span<const ipvs::WeightWrite> writes) override;

  /// See PoolTable::count().
  void count(const DestinationId& id, const PoolCounters& counters) { pools_.count(id, counters); }

  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  /// Where the weights of a service go. One without a route goes to the kernel as it is.
  struct Route {
    Output* output{};  ///< null: there is none of this kind here
    std::map<ipvs::DestinationKey, OutputServer> servers{};
  };
  using Result = tl::expected<void, ipvs::Error>;

  void add_pools(const Config& config, std::map<OutputKind, std::vector<OutputPool>>& declared);
  void add_services(const Config& config, std::map<OutputKind, std::vector<OutputPool>>& declared);
  void add_route(const OutputPool& pool, OutputKind kind);
  std::vector<Result> set_weights(const ipvs::ServiceKey& key, const Route& route,
                                  std::span<const ipvs::WeightWrite> writes);
  void remember(const ipvs::ServiceKey& key, const ipvs::WeightWrite& write);

  ipvs::Table& kernel_;
  std::vector<Output*> outputs_;
  std::function<Moment()> clock_;
  bool asks_kernel_{true};
  PoolTable pools_{};
  std::map<ipvs::ServiceKey, Route> routes_{};
  FollowedWeights followed_{};
};

}  // namespace lvs::monitord
