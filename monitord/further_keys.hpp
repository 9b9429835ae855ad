#pragma once

// The names under which the further measures of a reading stand in JSON.

#include <array>
#include <optional>
#include <string_view>

#include "loadcalc/strategy.hpp"

namespace lvs::monitord {

struct FurtherKey {
  std::string_view key{};
  std::optional<double> loadcalc::FurtherMeasures::*measure{};
  double largest{1};
};

/// Those that an agent reads; the response time is a destination's, not a server's.
inline constexpr std::array<FurtherKey, 7> further_keys{{
    {"network_utilisation", &loadcalc::FurtherMeasures::network_utilisation},
    {"disk_utilisation", &loadcalc::FurtherMeasures::disk_utilisation},
    {"processes", &loadcalc::FurtherMeasures::processes, 1e9},
    {"load_per_cpu", &loadcalc::FurtherMeasures::load_per_cpu, 1e9},
    {"cpu_pressure", &loadcalc::FurtherMeasures::cpu_pressure},
    {"memory_pressure", &loadcalc::FurtherMeasures::memory_pressure},
    {"io_pressure", &loadcalc::FurtherMeasures::io_pressure},
}};

}  // namespace lvs::monitord
