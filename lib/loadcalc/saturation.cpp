#include "loadcalc/saturation.hpp"

#include <algorithm>

#include "loadcalc/measures.hpp"

namespace lvs::loadcalc {

bool is_short_of_memory(const Measures& measures, double memory_reserve) {
  return !(measures.free_memory_rate >= memory_reserve);
}

bool is_saturated(const Measures& measures, double saturation_cpu, double memory_reserve) {
  bool const cpu_left = measures.cpu_occupancy < saturation_cpu;
  return !cpu_left || is_short_of_memory(measures, memory_reserve);
}

double cut_weight(double current, double fair) {
  return std::min(current, std::max(0.5 * std::min(current, fair), 0.25 * fair));
}

}  // namespace lvs::loadcalc
