#pragma once

// A virtual service as the kernel keeps it: destinations, connection entries, counters, scheduler.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clustersim/persistence.hpp"
#include "clustersim/scheduler.hpp"
#include "ipvs/types.hpp"

namespace lvs::clustersim {

/// net/netfilter/ipvs/ip_vs_proto_tcp.c: how long an entry of a NAT service outlives its
/// connection.
inline constexpr double time_wait_s = 120;
inline constexpr double close_s = 10;  ///< after a reset

/// 10.0.0.0/16 for servers, in the order of their indices.
ipvs::IpAddress server_address(std::size_t server);

class VirtualService {
 public:
  struct Settings {
    ipvs::ServiceKey key{};
    std::string scheduler{};
    std::vector<std::size_t> servers{};    ///< in the order in which they were added
    std::vector<std::uint32_t> weights{};  ///< of the same
    double persistence_s{};
    std::size_t clients{};
  };
  /// Destinations have the service's port. Here and below they are named by their place in the
  /// kernel's list, the newest first.
  VirtualService(Settings settings, std::unique_ptr<Scheduler> scheduler);

  /// Schedules a new connection of `client`; empty: refused.
  std::optional<std::size_t> connect(double now, std::uint32_t client, std::uint32_t source);
  /// The connection's last request ended.
  void closed(double now, std::size_t destination, std::uint32_t client);
  /// The connection broke.
  void reset(double now, std::size_t destination, std::uint32_t client);

  /// SET_DEST, whether it changes anything or not.
  void set_weight(std::size_t destination, std::uint32_t weight);
  /// Weight 0 by keepalived, which also ends the templates of what it takes out (as with
  /// expire_quiescent_template); an operator's weight 0 keeps its clients (the kernel's default).
  void take_out(std::size_t destination);
  void put_back(std::size_t destination, std::uint32_t weight);

  /// The estimator's tick: what entry() says about totals is of then.
  void refresh_counters();
  /// As a dump at `now` shows it.
  const ipvs::ServiceEntry& entry(double now);

  [[nodiscard]] std::size_t size() const { return servers_.size(); }
  [[nodiscard]] std::size_t server(std::size_t destination) const { return servers_[destination]; }
  [[nodiscard]] const std::vector<std::size_t>& servers() const { return servers_; }
  [[nodiscard]] std::optional<std::size_t> destination_of(std::size_t server) const;
  [[nodiscard]] const Destinations& destinations() const { return destinations_; }
  [[nodiscard]] std::uint64_t connections(std::size_t destination) const {
    return connections_[destination];
  }

 private:
  struct Leftover {
    double gone_at{};
    std::uint32_t destination{};
  };

  void add(std::size_t server, std::uint32_t weight);
  void end(std::size_t destination, std::uint32_t client, double gone_at,
           std::deque<Leftover>& queue);
  void expire(double now);

  std::vector<std::size_t> servers_{};
  Destinations destinations_{};
  std::vector<std::uint64_t> connections_{};
  std::vector<bool> taken_out_{};
  std::unique_ptr<Scheduler> scheduler_;
  Persistence persistence_;
  std::deque<Leftover> time_wait_{};  ///< each queue ordered by time, since its delay is constant
  std::deque<Leftover> close_{};
  ipvs::ServiceEntry entry_{};
};

}  // namespace lvs::clustersim
