#pragma once

// What many runs of the same thing say together.

#include <cstdint>
#include <string>
#include <vector>

#include "clustersim/simulation.hpp"

namespace lvs::clustersim {

/// The middle value, or the mean of the two middle ones; 0 for none.
double median(std::vector<double> values);

/// When latency has come down after the start: the first time from which on five cycles together
/// are at most three times the median cycle of the run's second half. Seconds; the end of the run
/// when there is none.
double calm_s(const std::vector<SeriesPoint>& series);

/// The figures of one run, without its series.
struct Figures {
  std::uint64_t seed{};
  double mean_ms{}, p50_ms{}, p95_ms{}, p99_ms{};
  double arrived{}, failed{}, unfinished{};
  double writes_per_server_minute{};
  double settle_s{}, calm_s{};
  double share_error{};
  std::vector<std::uint64_t> answered_by_server{};  ///< by the scenario's servers; not in medians

  friend bool operator==(const Figures&, const Figures&) = default;
};

Figures figures_of(const RunResult& run);

/// One strategy in one scenario under one scheduler.
struct Summary {
  std::string scenario{}, scheduler{}, strategy{};
  Figures medians{};  ///< each by itself; its seed means nothing
  std::vector<Figures> runs{};

  friend bool operator==(const Summary&, const Summary&) = default;
};

Figures medians_of(const std::vector<Figures>& runs);

}  // namespace lvs::clustersim
