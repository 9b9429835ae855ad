// ip_vs_nq.c: the first idle destination with a weight, whatever the weight; else as sed.

#include "clustersim/least_overhead.hpp"
#include "clustersim/scheduler.hpp"

namespace lvs::clustersim {
namespace {

class NeverQueue : public Scheduler {
 public:
  std::optional<std::size_t> pick(const Destinations& destinations,
                                  std::uint32_t /*source*/) override {
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      if (destinations.weight[i] > 0 && destinations.active[i] == 0) return i;
    }
    return least_overhead(destinations,
                          [&](std::size_t i) { return std::uint64_t{destinations.active[i]} + 1; });
  }
};

}  // namespace

std::unique_ptr<Scheduler> make_nq() {
  return std::make_unique<NeverQueue>();
}

}  // namespace lvs::clustersim
