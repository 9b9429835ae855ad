#pragma once

// What is learned about one real server: work done per load caused.

#include <cstdint>

#include "loadcalc/measures.hpp"

namespace lvs::loadcalc {

struct LearningParameters {
  double lambda{0.98};              ///< forgetting per cycle of the long window
  double lambda_short{0.6};         ///< forgetting of the change detector's window
  double memory_brake{0.2};         ///< L = C / min(1, M / memory_brake)
  double minimum_cpu{0.05};         ///< below this mean C of the pool nothing is learned
  double minimum_completions{20};   ///< nor below so many completions in the pool's window
  double smoothing{0.5};            ///< share of the newest F in F~

  friend bool operator==(const LearningParameters&, const LearningParameters&) = default;
};

/// Per real server, default = knows nothing. Plain numbers, so that a state file can hold them.
struct ServerModel {
  double work{};          ///< sum of lambda^k D_k: completed connections
  double load{};          ///< sum of lambda^k L_k
  double work_short{};    ///< the same over the short window
  double load_short{};
  std::uint32_t disagreements{};  ///< cycles in a row in which the short window contradicted
  double composite{};     ///< F~, smoothed
  std::uint32_t samples{};  ///< readings that went into F~; 0: F~ is not yet known

  friend bool operator==(const ServerModel&, const ServerModel&) = default;
};

/// What one cycle adds about one real server.
struct ServerStep {
  double completed{};  ///< D: completed connections over all its services, times their cost factors
  Measures measures{};
  double composite{};  ///< F of this cycle
  bool learn{};        ///< false: only F~ moves (too little traffic, counters frozen, standby)
};

/// The model after the step. Change detection: a short window that disagrees with the long one by
/// more than 3 sigma and more than 15 % twice in a row replaces it.
ServerModel learned(const ServerModel& model, const ServerStep& step,
                    const LearningParameters& parameters);

}  // namespace lvs::loadcalc
