// ip_vs_sed.c: least (active + 1) / weight.

#include "clustersim/least_overhead.hpp"
#include "clustersim/scheduler.hpp"

namespace lvs::clustersim {
namespace {

class ShortestExpectedDelay : public Scheduler {
 public:
  std::optional<std::size_t> pick(const Destinations& destinations,
                                  std::uint32_t /*source*/) override {
    return least_overhead(destinations,
                          [&](std::size_t i) { return std::uint64_t{destinations.active[i]} + 1; });
  }
};

}  // namespace

std::unique_ptr<Scheduler> make_sed() {
  return std::make_unique<ShortestExpectedDelay>();
}

}  // namespace lvs::clustersim
