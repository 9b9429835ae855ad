#pragma once

// When cycles begin. Pure but for the two that read clocks.

#include <chrono>
#include <ctime>

#include "monitord/reading.hpp"

namespace lvs::monitord {

/// The deadline after `last`: a whole number of intervals later, so that cycles do not drift, and
/// after `now`, so that missed ones (a suspend, a stalled host) are skipped and never made up for.
inline Moment next_deadline(Moment last, Moment interval, Moment now) {
  if (now < last + interval) return last + interval;
  return last + ((now - last) / interval + 1) * interval;
}

/// CLOCK_BOOTTIME: goes on in a suspend, and nobody sets it.
inline Moment boottime_now() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// Seconds since the epoch. For what outlives this boot and for people: ages of lessons, ends of
/// pins, time stamps. No weight is computed from it.
inline double wall_time_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace lvs::monitord
