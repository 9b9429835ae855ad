#pragma once

// What is learned about one real server: work done per load caused.
//
// A ratio of sums over a window, not a mean of ratios: a cycle with little traffic says little and
// weighs little. Completed, not arrived, connections: a server that drains a backlog has few
// arrivals at C = 1, and arrivals would call it weak and send it even less.

#include <cstdint>

#include "loadcalc/measures.hpp"

namespace lvs::loadcalc {

struct LearningParameters {
  double lambda{0.98};             ///< forgetting per cycle of the long window, in [0,1]
  double lambda_short{0.6};        ///< forgetting of the change detector's window, in [0,1)
  double memory_brake{0.2};        ///< L = C / min(1, M / memory_brake); 0: no brake
  double minimum_cpu{0.05};        ///< below this mean C of the pool nothing is learned
  double minimum_completions{20};  ///< nor used below so many completions in the pool's window
  double smoothing{0.04};          ///< share of the newest F in F~, in (0,1]

  friend bool operator==(const LearningParameters&, const LearningParameters&) = default;
};

/// Per real server, default = knows nothing. Plain numbers, so that a state file can hold them.
struct ServerModel {
  double work{};        ///< sum of lambda^k D_k: completed connections
  double load{};        ///< sum of lambda^k L_k
  double work_short{};  ///< the same over the short window
  double load_short{};
  double scatter{3};  ///< variance over mean of a cycle's completions: 1 for Poisson, more for
                      ///< requests of uneven size
  std::uint32_t disagreements{};  ///< cycles in a row in which the short window contradicted
  double composite{};             ///< F~, smoothed
  std::uint32_t samples{};        ///< readings that went into F~; 0: F~ is not yet known
  Measures latest{};              ///< of the newest reading
  Measures previous{};  ///< of the one before; tells lasting saturation from a busy moment

  friend bool operator==(const ServerModel&, const ServerModel&) = default;
};

/// What one cycle adds about one real server.
struct ServerStep {
  double completed{};  ///< D: completed connections over all its services, times their cost factors
  Measures measures{};
  double composite{};  ///< F of this cycle
  bool learn{};        ///< false: only F~ moves (too little traffic, counters frozen, standby)
};

/// L = C / min(1, M / memory_brake): the CPU that was used, made dearer below 20 % free memory.
/// Not 1 - F: its constant part 0.4 (1 - M) makes connections look like capacity at low load, and
/// the loop runs away to the server with most memory. In [0, 20]; 0 for a measure that is NaN.
double load_caused(const Measures& measures, const LearningParameters& parameters);

/// Standard error of work / load as a share of it; 1 without evidence.
double relative_error(const ServerModel& model, const LearningParameters& parameters);

/// The model after the step. Change detection: a short window that disagrees with the long one by
/// more than 3 sigma and more than 15 %, to the same side twice in a row, replaces it. A step that
/// is not a number, or negative, teaches nothing.
ServerModel learned(const ServerModel& model, const ServerStep& step,
                    const LearningParameters& parameters);

}  // namespace lvs::loadcalc
