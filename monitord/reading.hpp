#pragma once

// A reading as every source delivers it. decide() knows no source.

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "ipvs/types.hpp"
#include "loadcalc/strategy.hpp"

namespace lvs::monitord {

/// A moment on the director's CLOCK_BOOTTIME, in nanoseconds. Wall clocks are never compared.
using Moment = std::chrono::nanoseconds;

/// What one real server said last.
struct Reading {
  Moment taken{};                         ///< when the sample was taken, by the director's clock
  std::optional<double> cpu_busy{};       ///< C in [0,1]; empty: unknown
  std::optional<double> mem_available{};  ///< M in [0,1]; empty: unknown
  std::string reason{};                   ///< why a measure is unknown
  bool draining{};                        ///< the agent asks for drain
  loadcalc::FurtherMeasures further{};    ///< all but the response time

  friend bool operator==(const Reading&, const Reading&) = default;
};

/// Latest reading per real server, by the address of its destinations.
using Readings = std::map<ipvs::IpAddress, Reading>;

}  // namespace lvs::monitord
