#pragma once

// Random numbers that are the same everywhere: splitmix64 (Steele, Lea, Flood 2014) and
// distributions by hand, since those of <random> differ between libraries.
//
// Every use has a stream of its own, named after it: what one strategy draws more or less of then
// shifts nothing for the others, and all strategies meet the same arrivals and the same requests.

#include <cstdint>
#include <string_view>

namespace lvs::clustersim {

/// Spreads every bit of `value` over all 64.
std::uint64_t mixed(std::uint64_t value);

class Random {
 public:
  explicit Random(std::uint64_t state) : state_(state) {}
  Random(std::uint64_t seed, std::string_view stream);

  /// Stream number `index` of a family: for every connection, every question to an agent.
  [[nodiscard]] Random child(std::uint64_t index) const;

  std::uint64_t next();
  double uniform();                 ///< in (0, 1], multiples of 2^-53
  double exponential(double mean);  ///< >= 0
  double normal();                  ///< mean 0, deviation 1; Marsaglia's polar method

 private:
  std::uint64_t state_;
};

}  // namespace lvs::clustersim
