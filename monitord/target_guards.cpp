#include "monitord/target_guards.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "loadcalc/weight_vectors.hpp"

namespace lvs::monitord {
namespace {

constexpr unsigned idle_cycles_to_base = 30;
constexpr double least_slots = 0.25;  ///< of the mean weight, under sh and mh

}  // namespace

void guard_targets(const Seats& seats, const PoolContext& context, const loadcalc::Pool& pool,
                   std::vector<loadcalc::Target>& targets) {
  auto const& guards = context.policy.guards;
  bool const idle = context.service.idle_cycles >= idle_cycles_to_base;
  std::size_t next = 0;
  for (auto const& seat : seats) {
    if (seat.settled) continue;
    auto& target = targets[next];
    if (idle) {
      target.weight = pool.members[next].base;
      target.note = "idle: base";
    }
    auto const& admitted = context.service.destinations.at(seat.verdict.destination).admitted;
    if (admitted) {
      std::chrono::duration<double> const age = context.seen.now - *admitted;
      target.weight *= loadcalc::slow_start_share(age.count(), guards.slow_start_s);
    }
    ++next;
  }
}

void keep_within_steps(std::span<const std::uint32_t> current, loadcalc::WeightUse use,
                       const loadcalc::GuardParameters& guards, std::span<double> targets) {
  bool const slots = use == loadcalc::WeightUse::hash_slots && !current.empty();
  auto const floor = slots ? least_slots * loadcalc::mean(current) : 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const capped = loadcalc::capped_step(current[i], targets[i], guards.step_cap);
    targets[i] = std::max(floor, capped);
  }
}

}  // namespace lvs::monitord
