#include "loadcalc/scheduler.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lvs::loadcalc {

namespace {

constexpr std::array<std::pair<std::string_view, WeightUse>, 14> kUses{{
    {"wrr", WeightUse::share},
    {"wlc", WeightUse::correction},
    {"sed", WeightUse::correction},
    {"nq", WeightUse::correction},
    {"twos", WeightUse::correction},  // two picks by weight, then the less loaded per weight
    {"sh", WeightUse::hash_slots},
    {"mh", WeightUse::hash_slots},
    {"rr", WeightUse::ignored},
    {"lc", WeightUse::ignored},
    {"dh", WeightUse::ignored},
    {"roundrobin", WeightUse::share},
    {"leastconn", WeightUse::correction},
    {"random", WeightUse::correction},  // two picks by weight, as twos
    {"dns", WeightUse::share},
}};

}  // namespace

WeightUse weight_use(std::string_view scheduler) {
  auto const* const known =
      std::find_if(kUses.begin(), kUses.end(),
                   [scheduler](auto const& entry) { return entry.first == scheduler; });
  return known == kUses.end() ? WeightUse::other : known->second;
}

bool uses_weights(std::string_view scheduler) {
  auto const use = weight_use(scheduler);
  return use == WeightUse::share || use == WeightUse::correction || use == WeightUse::hash_slots;
}

}  // namespace lvs::loadcalc
