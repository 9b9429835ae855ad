#pragma once

// What monitord costs with so many real servers: one measurement as a value. Pure.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/spread.hpp"

namespace lvs::bench {

/// One process over whole cycles. Shares are of one core: 1 is all of its time.
struct ScaleRow {
  std::size_t servers{};
  double seconds{};        ///< that were measured
  double cpu_share{};      ///< all threads of the process, what stands for the kernel included
  double control_share{};  ///< of that the thread of the loop
  double table_share{};    ///< of that the table in memory, which stands for the kernel's
  double us_per_poll{};    ///< all the process's CPU time by the replies that were taken
  double rss_mib{};        ///< VmRSS at the end
  double peak_mib{};       ///< VmHWM, the start included
  double hour_mib{};       ///< rss_mib and what a whole hour of history adds to it; computed
  Spread cycle_ms{};       ///< from the beginning of a cycle until it was published
  Spread lateness_ms{};    ///< of its beginning behind its deadline
  std::uint64_t cycles{};
  std::uint64_t late{};  ///< cycles that began too late or were longer than the interval
  std::uint64_t asked{}, answered{}, timeouts{};
  std::uint64_t writes{};  ///< weights

  friend bool operator==(const ScaleRow&, const ScaleRow&) = default;
};

/// A cycle that begins so long after its deadline is late.
inline constexpr std::chrono::milliseconds late_after{100};

/// Their names in JSON.
inline constexpr std::array<std::pair<std::string_view, double ScaleRow::*>, 8> scale_figures{{
    {"seconds", &ScaleRow::seconds},
    {"cpu_share", &ScaleRow::cpu_share},
    {"control_share", &ScaleRow::control_share},
    {"table_share", &ScaleRow::table_share},
    {"us_per_poll", &ScaleRow::us_per_poll},
    {"rss_mib", &ScaleRow::rss_mib},
    {"peak_mib", &ScaleRow::peak_mib},
    {"hour_mib", &ScaleRow::hour_mib},
}};
inline constexpr std::array<std::pair<std::string_view, std::uint64_t ScaleRow::*>, 6> scale_counts{
    {
        {"cycles", &ScaleRow::cycles},
        {"late", &ScaleRow::late},
        {"asked", &ScaleRow::asked},
        {"answered", &ScaleRow::answered},
        {"timeouts", &ScaleRow::timeouts},
        {"writes", &ScaleRow::writes},
    }};
inline constexpr std::array<std::pair<std::string_view, Spread ScaleRow::*>, 2> scale_spreads{{
    {"cycle_ms", &ScaleRow::cycle_ms},
    {"lateness_ms", &ScaleRow::lateness_ms},
}};

/// Several measurements of one size, at least one, as one: medians of figures, the largest of what
/// is a largest, sums of counts and seconds.
ScaleRow merged(const std::vector<ScaleRow>& rounds);

double writes_per_server_minute(const ScaleRow& row);

/// What monitord's history of `servers` destinations takes after it ran for `age`, in MiB.
double history_mib(std::size_t servers, std::chrono::nanoseconds interval,
                   std::chrono::nanoseconds age);

}  // namespace lvs::bench
