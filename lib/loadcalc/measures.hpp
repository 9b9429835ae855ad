#pragma once

// Composite load and INPUT index: the two definitions that the project is about.

#include <cstdint>
#include <span>
#include <vector>

namespace lvs::loadcalc {

/// Measures of one real server, each a fraction in [0,1].
struct Measures {
  double cpu_occupancy{};     ///< C
  double free_memory_rate{};  ///< M

  friend bool operator==(const Measures&, const Measures&) = default;
};

/// Shares of CPU and memory in F; not negative, sum 1.
struct CompositeShares {
  double cpu{0.6};
  double memory{0.4};

  friend bool operator==(const CompositeShares&, const CompositeShares&) = default;
};

/// F = cpu * (1 - C) + memory * M in [0,1]: spare capacity, 1 idle, 0 exhausted.
double composite_load(const Measures& measures, const CompositeShares& shares);

/// INPUT_i = N_i / (sum N / n) for the new connections N of a pool's servers; all 1 when nobody
/// got any (a standby director must not read that as imbalance).
std::vector<double> input_index(std::span<const std::uint64_t> new_connections);

}  // namespace lvs::loadcalc
