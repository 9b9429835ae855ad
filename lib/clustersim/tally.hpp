#pragma once

// What a run leaves behind: counts, latencies, the course of the weights.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clustersim/plant.hpp"
#include "clustersim/simulation.hpp"
#include "clustersim/statistics.hpp"

namespace lvs::clustersim {

/// Mean latency by destination of one service, over an interval.
struct IntervalMean {
  double sum_s{};
  std::uint64_t count{};
};

class Tally {
 public:
  Tally(const Scenario& scenario, const Plant& plant);

  void arrived(double at);
  void completed(double began, double now, std::size_t service, std::size_t destination,
                 std::size_t server);
  void failed(double began);
  /// A client gave up: failed, and as slow as its patience at least.
  void given_up(double began, double now);
  /// Requests that the end of the run cut short count with the time that they took so far.
  void cut_short(const std::vector<double>& ages_s);
  /// A policy wrote a weight.
  void wrote(double at);
  /// The end of a cycle: a point of the series.
  void cycle_ended(double now, const Plant& plant);
  /// Forgets the means of the interval that ended.
  void begin_interval();

  [[nodiscard]] const std::vector<std::vector<IntervalMean>>& interval_means() const {
    return interval_;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& completed_by_server() const { return by_server_; }
  [[nodiscard]] const Latencies& latencies() const { return latencies_; }

  /// Everything but the names, after the last event of the run.
  [[nodiscard]] RunResult result(const Scenario& scenario, const Plant& plant) const;

 private:
  [[nodiscard]] double share_error(double duration_s, const Plant& plant) const;

  double warmup_s_;
  Latencies latencies_{};
  std::uint64_t arrived_{}, completed_{}, failed_{}, writes_{};
  std::vector<std::uint64_t> by_server_;
  std::vector<std::uint64_t> answered_by_server_;      ///< of the requests that count
  std::vector<std::vector<IntervalMean>> interval_{};  ///< by service and destination
  std::vector<SeriesPoint> series_{};
  std::vector<double> busy_before_;          ///< core seconds at the last cycle, by server
  std::vector<std::vector<double>> work_{};  ///< done at each point of the series, by server
  double cycle_before_s_{};
};

/// Seconds from the last event until the weights' shares stay within 10 % of their final ones.
double settle_time(const std::vector<SeriesPoint>& series, double last_event_s);

}  // namespace lvs::clustersim
