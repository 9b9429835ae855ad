#include "clustersim/scheduler.hpp"

#include <algorithm>
#include <array>

namespace lvs::clustersim {
namespace {

struct Named {
  std::string_view name;
  std::unique_ptr<Scheduler> (*make)();
};

constexpr std::array schedulers{Named{"wrr", make_wrr}, Named{"wlc", make_wlc},
                                Named{"sed", make_sed}, Named{"nq", make_nq},
                                Named{"rr", make_rr},   Named{"mh", make_mh}};

}  // namespace

void Scheduler::edited(const Destinations& /*destinations*/) {}

std::unique_ptr<Scheduler> scheduler_from_name(std::string_view name) {
  auto const found = std::ranges::find(schedulers, name, &Named::name);
  return found == schedulers.end() ? nullptr : found->make();
}

bool is_scheduler(std::string_view name) {
  return std::ranges::find(schedulers, name, &Named::name) != schedulers.end();
}

}  // namespace lvs::clustersim
