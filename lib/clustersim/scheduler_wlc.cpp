// ip_vs_wlc.c: least (256 * active + inactive) / weight (ip_vs_dest_conn_overhead).

#include "clustersim/least_overhead.hpp"
#include "clustersim/scheduler.hpp"

namespace lvs::clustersim {
namespace {

class WeightedLeastConnection : public Scheduler {
 public:
  std::optional<std::size_t> pick(const Destinations& destinations,
                                  std::uint32_t /*source*/) override {
    return least_overhead(destinations, [&](std::size_t i) {
      return (std::uint64_t{destinations.active[i]} << 8U) + destinations.inactive[i];
    });
  }
};

}  // namespace

std::unique_ptr<Scheduler> make_wlc() {
  return std::make_unique<WeightedLeastConnection>();
}

}  // namespace lvs::clustersim
