// ip_vs_rr.c: one after the other; an edit does not move the place.

#include "clustersim/scheduler.hpp"

namespace lvs::clustersim {
namespace {

class RoundRobin : public Scheduler {
 public:
  std::optional<std::size_t> pick(const Destinations& destinations,
                                  std::uint32_t /*source*/) override {
    auto const count = destinations.size();
    for (std::size_t step = 0; step < count; ++step) {
      auto const index = (next_ + step) % count;
      if (destinations.weight[index] == 0) continue;
      next_ = index + 1;
      return index;
    }
    return std::nullopt;
  }

 private:
  std::size_t next_{};
};

}  // namespace

std::unique_ptr<Scheduler> make_rr() {
  return std::make_unique<RoundRobin>();
}

}  // namespace lvs::clustersim
