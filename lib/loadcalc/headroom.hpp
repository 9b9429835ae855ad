#pragma once

// `headroom`: "processing power priority" for LVS; the weight follows the spare capacity.

#include <vector>

#include "loadcalc/measures.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// `headroom`: target_i = base_i * scale * F_i.
struct HeadroomParameters {
  double scale{1.0};
  CompositeShares shares{};

  friend bool operator==(const HeadroomParameters&, const HeadroomParameters&) = default;
};

/// Weights as they are meant to stand in the kernel: rounded() in quantise.hpp takes them
/// literally. A member without measures keeps its current weight. Finite and > 0 for every input.
std::vector<Target> headroom_targets(const Pool& pool, const HeadroomParameters& parameters);

}  // namespace lvs::loadcalc
