#include "clustersim/names.hpp"

#include <string>

#include "clustersim/scenario.hpp"
#include "clustersim/scheduler.hpp"
#include "support/catch.hpp"

using namespace lvs::clustersim;

TEST_CASE("names: what a scenario may name is simulated") {
  for (const auto& name : scheduler_names()) {
    INFO(name);
    CHECK(is_scheduler(name));
  }
  for (const auto& name : strategy_names()) {
    INFO(name);
    CHECK(is_strategy(name));
  }
}
