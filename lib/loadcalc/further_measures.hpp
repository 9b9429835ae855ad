#pragma once

// What strategies may look at beyond C and M, and what each measure is called wherever it is
// written down: agent, probe, status document, recordings.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace lvs::loadcalc {

/// What `feedback`, `response` and `linear` look at beyond C and M. Empty: not known.
struct FurtherMeasures {
  std::optional<double> network_utilisation{};  ///< of the busier direction of the line, [0,1]
  std::optional<double> disk_utilisation{};     ///< I/O time of the busiest disk / time, [0,1]
  std::optional<double> processes{};            ///< their number
  std::optional<double> load_per_cpu{};         ///< load average of a minute / CPUs
  std::optional<double> cpu_pressure{};         ///< PSI "some" of the CPU, share of time, [0,1]
  std::optional<double> memory_pressure{};      ///< PSI "some" of memory, [0,1]
  std::optional<double> io_pressure{};          ///< PSI "some" of I/O, [0,1]
  std::optional<double> response_s{};           ///< seconds; what the director's probes measured

  friend bool operator==(const FurtherMeasures&, const FurtherMeasures&) = default;
};

struct NamedMeasure {
  std::string_view name{};  ///< its key in every JSON document
  std::optional<double> FurtherMeasures::*value{};
  double largest{1};  ///< of what can be; more in a file is a mistake
};

/// All of them, in the order in which they are shown.
inline constexpr std::array<NamedMeasure, 8> further_measures{{
    {"network_utilisation", &FurtherMeasures::network_utilisation},
    {"disk_utilisation", &FurtherMeasures::disk_utilisation},
    {"processes", &FurtherMeasures::processes, 1e9},
    {"load_per_cpu", &FurtherMeasures::load_per_cpu, 1e9},
    {"cpu_pressure", &FurtherMeasures::cpu_pressure},
    {"memory_pressure", &FurtherMeasures::memory_pressure},
    {"io_pressure", &FurtherMeasures::io_pressure},
    {"response_s", &FurtherMeasures::response_s, 1e9},
}};
static_assert(sizeof(FurtherMeasures) == further_measures.size() * sizeof(std::optional<double>),
              "every member has a name");

/// Those that an agent tells: all but the response time.
inline constexpr std::span<const NamedMeasure> agent_measures =
    std::span{further_measures}.first<further_measures.size() - 1>();

}  // namespace lvs::loadcalc
