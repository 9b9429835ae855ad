#include "monitord/guards.hpp"

#include <algorithm>
#include <cmath>

namespace lvs::monitord {

Moment fresh_for(const Config& config) {
  return 2 * config.interval;
}

Moment held_for(const Config& config) {
  return fresh_for(config) + static_cast<std::int64_t>(config.hold_polls) * config.interval;
}

ReadingState reading_state(const Reading* reading, Moment now, Moment first_seen,
                           const Config& config) {
  if (reading == nullptr) {
    return now - first_seen > held_for(config) ? ReadingState::silent : ReadingState::none;
  }
  auto const age = now - reading->taken;
  if (age <= fresh_for(config)) return ReadingState::fresh;
  return age <= held_for(config) ? ReadingState::stale : ReadingState::silent;
}

bool piles_up(const DestinationState& before, std::uint32_t active) {
  auto const usual = static_cast<double>(before.active_when_fresh);
  return static_cast<double>(active) > usual * 1.5 + 5.0 && active >= before.active;
}

std::uint32_t cut_weight(std::uint32_t current, const loadcalc::WeightRange& range) {
  return std::clamp(current / 2, range.min, range.max);
}

std::uint32_t step_to_base(std::uint32_t current, std::uint32_t base,
                           const loadcalc::Boundary& boundary) {
  auto const from = static_cast<double>(current);
  auto const half =
      static_cast<std::uint32_t>(std::lround(from + (static_cast<double>(base) - from) / 2));
  bool const worth_it = loadcalc::exceeds_boundary(boundary, current, half);
  bool const leaves_a_rest = loadcalc::exceeds_boundary(boundary, half, base);
  return worth_it && leaves_a_rest ? half : base;
}

double damped(double current, double target, double up_step) {
  return target > current ? current + up_step * (target - current) : target;
}

}  // namespace lvs::monitord
