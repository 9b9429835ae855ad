#pragma once

// Boundary B: the smallest change of a weight that is worth writing.

#include <cstdint>

namespace lvs::loadcalc {

struct Boundary {
  enum class Unit { weight, percent };
  Unit unit{Unit::percent};
  double value{5.0};  ///< a number of weight units, or percent of the current weight (at least 1)

  friend bool operator==(const Boundary&, const Boundary&) = default;
};

/// B in weight units for a destination that stands at `current`.
double boundary_width(const Boundary& boundary, std::uint32_t current);

/// True when |target - current| is strictly greater than B.
bool exceeds_boundary(const Boundary& boundary, std::uint32_t current, std::uint32_t target);

}  // namespace lvs::loadcalc
