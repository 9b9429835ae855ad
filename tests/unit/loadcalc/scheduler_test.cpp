#include "loadcalc/scheduler.hpp"

#include <string>

#include "support/catch.hpp"

namespace {

using lvs::loadcalc::uses_weights;
using lvs::loadcalc::weight_use;
using lvs::loadcalc::WeightUse;

TEST_CASE("scheduler: what a weight means to each") {
  auto const [name, use] = GENERATE(table<std::string, WeightUse>({
      {"", WeightUse::other},
      {"none", WeightUse::other},
      {"WRR", WeightUse::other},
      {"wrr2", WeightUse::other},
      {"wrr", WeightUse::share},
      {"wlc", WeightUse::correction},
      {"sed", WeightUse::correction},
      {"nq", WeightUse::correction},
      {"twos", WeightUse::correction},
      {"sh", WeightUse::hash_slots},
      {"mh", WeightUse::hash_slots},
      {"rr", WeightUse::ignored},
      {"lc", WeightUse::ignored},
      {"dh", WeightUse::ignored},
      {"fo", WeightUse::other},
      {"ovf", WeightUse::other},
      {"lblc", WeightUse::other},
      {"lblcr", WeightUse::other},
      {"roundrobin", WeightUse::share},
      {"leastconn", WeightUse::correction},
      {"random", WeightUse::correction},
      {"dns", WeightUse::share},
      {"source", WeightUse::other},
  }));
  CAPTURE(name);
  CHECK(weight_use(name) == use);
  CHECK(uses_weights(name) == (use != WeightUse::other && use != WeightUse::ignored));
}

}  // namespace
