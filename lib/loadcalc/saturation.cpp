#include "loadcalc/saturation.hpp"

#include <algorithm>

#include "loadcalc/measures.hpp"

namespace lvs::loadcalc {

bool is_saturated(const Measures& measures, double saturation_cpu, double memory_reserve) {
  bool const cpu_left = measures.cpu_occupancy < saturation_cpu;
  bool const memory_left = measures.free_memory_rate >= memory_reserve;
  return !cpu_left || !memory_left;
}

double cut_weight(double current, double fair) {
  return std::min(current, std::max(0.5 * std::min(current, fair), 0.25 * fair));
}

}  // namespace lvs::loadcalc
