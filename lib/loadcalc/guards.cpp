#include "loadcalc/guards.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "loadcalc/saturation.hpp"

namespace lvs::loadcalc {

namespace {

constexpr double useful_cpu = 0.9;     ///< up to here the others may take what a cut sets free
constexpr double least_cpu = 0.01;     ///< an idle server's room is large, not infinite
constexpr double least_weight = 1e-6;  ///< nothing is ever 0
constexpr double slow_start_floor = 0.2;

double current_of(const Member& member) {
  return std::max(1.0, static_cast<double>(member.current));
}

/// A server whose weight is right is busy for a whole cycle now and then; cutting it then costs two
/// writes of the pool and leaves longer queues. Saturation counts when the reading before had it
/// too, or when there was none.
bool lasts(const Member& member, const GuardParameters& guards) {
  return member.model.samples < 2 ||
         is_saturated(member.model.previous, guards.saturation_cpu, guards.memory_reserve);
}

/// Weight that this unsaturated member can take on top of its current one.
double room_of(const Member& member) {
  auto const cpu = std::max(least_cpu, member.measures->cpu_occupancy);
  return current_of(member) * std::max(0.0, useful_cpu / cpu - 1.0);
}

/// The members with measures by index, apart by whether they are cut.
struct Split {
  std::vector<std::size_t> exhausted{}, free{};
};

Split marked(const Pool& pool, const GuardParameters& guards, std::vector<Target>& targets) {
  Split split;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const& member = pool.members[i];
    if (!member.measures) continue;
    targets[i].saturated =
        is_saturated(*member.measures, guards.saturation_cpu, guards.memory_reserve);
    bool const cut = targets[i].saturated && lasts(member, guards);
    (cut ? split.exhausted : split.free).push_back(i);
  }
  return split;
}

/// How much of the wanted cuts the others have room for, in [0,1].
double part_with_room(const Pool& pool, const Split& split, const std::vector<Target>& targets) {
  double wanted = 0.0;
  double room = 0.0;
  for (auto const i : split.exhausted) {
    auto const current = current_of(pool.members[i]);
    wanted += current - cut_weight(current, targets[i].weight);
  }
  for (auto const i : split.free)
    room += room_of(pool.members[i]);
  return wanted > 0.0 ? std::min(1.0, room / wanted) : 0.0;
}

double sum_of(const std::vector<Target>& targets, const std::vector<std::size_t>& chosen) {
  double sum = 0.0;
  for (auto const i : chosen)
    sum += targets[i].weight;
  return sum;
}

}  // namespace

void cut_saturated(const Pool& pool, const GuardParameters& guards, std::vector<Target>& targets) {
  auto const split = marked(pool, guards, targets);
  if (split.exhausted.empty()) return;
  auto const part = part_with_room(pool, split, targets);
  auto const given = sum_of(targets, split.free);
  double set_free = 0.0;
  for (auto const i : split.exhausted) {
    auto& target = targets[i];
    auto const current = current_of(pool.members[i]);
    auto const cut = current - part * (current - cut_weight(current, target.weight));
    auto const before = target.weight;
    target.weight = split.free.empty() ? current : std::min(target.weight, cut);
    target.note = split.free.empty() ? "all saturated: held" : "saturated: cut";
    set_free += before - target.weight;
  }
  if (split.free.empty() || !(given > 0.0)) return;
  for (auto const i : split.free) {
    auto& weight = targets[i].weight;
    weight = std::max(least_weight, weight * (1.0 + set_free / given));
  }
}

double slow_start_share(double age_s, double slow_start_s) {
  if (!(age_s < slow_start_s)) return 1.0;
  return slow_start_floor + (1.0 - slow_start_floor) * std::max(0.0, age_s / slow_start_s);
}

double capped_step(double current, double target, double step_cap) {
  if (!(step_cap >= 1.0)) return target;
  return std::clamp(target, current / step_cap, current * step_cap);
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
