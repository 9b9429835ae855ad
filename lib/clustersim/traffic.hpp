#pragma once

// Connections and their requests, from their arrival to their end.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clustersim/arrivals.hpp"
#include "clustersim/plant.hpp"
#include "clustersim/tally.hpp"
#include "clustersim/workload.hpp"

namespace lvs::clustersim {

class Traffic {
 public:
  Traffic(const Scenario& scenario, std::uint64_t seed, const Workload& workload, Plant& plant,
          Tally& tally);

  [[nodiscard]] double next_arrival() const { return next_arrival_; }
  /// The connection of next_arrival() arrives.
  void arrive();
  /// The earliest request of the plant ends.
  void complete();
  /// A connection's pause is over.
  void think_over(double now, std::uint32_t connection);
  /// Clients whose request is `patience_s` old close their connection.
  void give_up(double now, double patience_s);
  /// Everything on this server fails. Connections that pause there fail with their next request.
  void crash(double now, std::size_t server);
  void set_request_mean(double mean_s) { workload_.set_mean(mean_s); }
  /// Times so far of the requests in progress that began after `since`.
  [[nodiscard]] std::vector<double> unfinished_ages(double now, double since) const;

 private:
  struct Connection {
    double request_began{};  ///< of the request in progress; < 0: none
    Random random{0};
    std::uint32_t service{}, destination{}, server{}, client{};
    std::uint32_t requests_left{};
    std::uint32_t boot{};  ///< of its server when it was opened
  };

  void begin_request(double now, std::uint32_t index);
  void fail(double now, std::uint32_t index);
  void close_broken(double now, std::uint32_t index);
  void release(std::uint32_t index);
  std::uint32_t place();

  KeepAlive keepalive_;
  Workload workload_;
  Arrivals arrivals_;
  Random connection_streams_;
  Plant& plant_;
  Tally& tally_;
  double next_arrival_;
  std::uint64_t opened_{};
  std::vector<Connection> connections_{};
  std::vector<std::uint32_t> free_{};
};

}  // namespace lvs::clustersim
