#pragma once

// A token bucket per source, in bounded memory. Time is an argument.

#include <chrono>
#include <cstddef>
#include <map>

#include "ipvs/types.hpp"

namespace lvs::agent {

class RateLimit {
 public:
  /// `per_second` > 0 requests on average and at once; `max_sources` > 0 sources are remembered.
  RateLimit(unsigned per_second, std::size_t max_sources);

  /// Takes a token of `source`; false: there is none. An IPv6 source is its /64, for a host has
  /// all of that. Where the table is full the half that has waited longest is forgotten: at
  /// worst it gets a full bucket again, so that a flood of made-up sources shuts nobody out. A
  /// half, so that a flood does not cost a walk through the table with each datagram.
  bool take(const ipvs::IpAddress& source, std::chrono::nanoseconds now);

  [[nodiscard]] std::size_t sources() const { return next_free_.size(); }

 private:
  void forget_half();

  std::chrono::nanoseconds per_token_;
  std::chrono::nanoseconds depth_;
  std::size_t max_sources_;
  /// When the bucket would be full again, less its depth (generic cell rate algorithm): one number
  /// says as much as level and time of the last request.
  std::map<ipvs::IpAddress, std::chrono::nanoseconds> next_free_{};
};

}  // namespace lvs::agent
