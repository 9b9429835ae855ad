#include "loadcalc/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lvs::loadcalc {

double boundary_width(const Boundary& boundary, std::uint32_t current) {
  auto const value = std::isnan(boundary.value) ? 0.0 : std::max(0.0, boundary.value);
  if (boundary.unit == Boundary::Unit::weight) return value;
  // Divided last: 5 * 20 / 100 is 1 exactly, 20 * 0.05 is not.
  return std::max(1.0, static_cast<double>(current) * value / 100.0);
}

bool exceeds_boundary(const Boundary& boundary, std::uint32_t current, std::uint32_t target) {
  auto const distance = std::abs(static_cast<double>(target) - static_cast<double>(current));
  return distance > boundary_width(boundary, current);
}

}  // namespace lvs::loadcalc
