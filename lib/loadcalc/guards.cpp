#include "loadcalc/guards.hpp"

#include <algorithm>

namespace lvs::loadcalc {

namespace {

constexpr double slow_start_floor = 0.2;

}  // namespace

double slow_start_share(double age_s, double slow_start_s) {
  if (!(age_s < slow_start_s)) return 1.0;
  return slow_start_floor + (1.0 - slow_start_floor) * std::max(0.0, age_s / slow_start_s);
}

double capped_step(double current, double target, double step_cap) {
  if (!(step_cap >= 1.0)) return target;
  return std::min(target, current * step_cap);
}

bool is_idle(const Pool& pool, double idle_cpu) {
  double sum = 0.0;
  double count = 0.0;
  for (auto const& member : pool.members) {
    if (!member.measures) continue;
    sum += member.measures->cpu_occupancy;
    count += 1.0;
  }
  return count > 0.0 && sum / count < idle_cpu;
}

}  // namespace lvs::loadcalc
