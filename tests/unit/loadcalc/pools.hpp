#pragma once

#include <utility>
#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc::testing {

inline Pool pool_of(std::vector<Member> members, WeightUse use = WeightUse::share) {
  Pool pool;
  pool.weight_use = use;
  pool.members = std::move(members);
  return pool;
}

}  // namespace lvs::loadcalc::testing
