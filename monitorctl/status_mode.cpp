#include "monitorctl/status_mode.hpp"

namespace lvs::monitorctl {
namespace {

template <typename Predicate>
bool all_steered(const Status& status, Predicate predicate) {
  bool any = false;
  for (const auto& service : status.services) {
    for (const auto& one : service.destinations) {
      if (is_left_alone(one)) continue;
      if (!predicate(one.outcome)) return false;
      any = true;
    }
  }
  return any;
}

}  // namespace

StatusMode mode_of(const Status& status) {
  if (!status.degraded.empty()) return StatusMode::degraded;
  if (status.cycle == 0) return StatusMode::starting;
  if (status.dry_run) return StatusMode::dry_run;
  const auto standby = [](const auto& outcome) { return outcome == "standby"; };
  if (all_steered(status, standby)) return StatusMode::standby;
  const auto paused = [](const auto& outcome) {
    return outcome == "paused" || outcome == "restoring";
  };
  if (all_steered(status, paused)) return StatusMode::paused;
  return StatusMode::active;
}

}  // namespace lvs::monitorctl
