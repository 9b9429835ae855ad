#pragma once

// The comparison that wlc, sed and nq share: overhead / weight without a division, in 64 bit, the
// first of equals wins, weight 0 never.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "clustersim/scheduler.hpp"

namespace lvs::clustersim {

template <typename Overhead>
std::optional<std::size_t> least_overhead(const Destinations& destinations, Overhead overhead) {
  auto const count = destinations.size();
  auto const* const weights = destinations.weight.data();
  std::size_t least = 0;
  while (least < count && weights[least] == 0)
    ++least;
  if (least == count) return std::nullopt;
  std::uint64_t least_weight = weights[least];
  std::uint64_t least_value = overhead(least);
  for (std::size_t i = least + 1; i < count; ++i) {
    std::uint64_t const value = overhead(i);
    if (least_value * weights[i] > value * least_weight) {
      least = i;
      least_value = value;
      least_weight = weights[i];
    }
  }
  return least;
}

}  // namespace lvs::clustersim
