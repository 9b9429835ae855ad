#include <algorithm>
#include <utility>

#include "clustersim/policy.hpp"
#include "monitord/decide.hpp"
#include "monitord/strategies.hpp"

namespace lvs::clustersim {
namespace {

using monitord::Applied;

class MonitordPolicy : public WeightPolicy {
 public:
  explicit MonitordPolicy(monitord::Config config) : config_(std::move(config)) {}

  [[nodiscard]] bool wants_responses() const override {
    return monitord::readings_needed(config_.defaults).response;
  }

  WeightWrites cycle(const Sight& sight) override {
    auto decision = monitord::decide(std::move(state_), sight.seen, config_);
    WeightWrites writes;
    std::vector<Applied> applied;
    for (auto const& plan : decision.plan) {
      for (auto const& change : plan.changes) {
        writes.push_back(write_from_change(sight.seen, plan.service, change));
        applied.push_back({plan.service, change, Applied::Result::written, {}});
      }
    }
    state_ = monitord::state_after_apply(std::move(decision.next), applied, sight.seen.now);
    return writes;
  }

 private:
  static WeightWrite write_from_change(const monitord::Observations& seen,
                                       const ipvs::ServiceKey& key,
                                       const monitord::WeightChange& change) {
    auto const entry = std::ranges::find_if(
        seen.table, [&](const ipvs::ServiceEntry& e) { return e.service.key == key; });
    auto const destination =
        std::ranges::find(entry->destinations, change.destination, &ipvs::Destination::key);
    return {static_cast<std::size_t>(entry - seen.table.begin()),
            static_cast<std::size_t>(destination - entry->destinations.begin()), change.to};
  }

  monitord::Config config_;
  monitord::State state_{};
};

}  // namespace

std::unique_ptr<WeightPolicy> make_monitord_policy(monitord::Config config) {
  return std::make_unique<MonitordPolicy>(std::move(config));
}

}  // namespace lvs::clustersim
