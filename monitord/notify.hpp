#pragma once

// What systemd is told (sd_notify(3)). Without systemd every call does nothing.

#include <optional>
#include <string>

#include "monitord/reading.hpp"

namespace lvs::monitord {

void notify_ready(const std::string& status);
/// Feeds the watchdog; only a completed cycle may.
void notify_alive(const std::string& status);
/// A `notify-reload` unit insists on MONOTONIC_USEC; ends with notify_ready().
void notify_reloading();
void notify_stopping();

/// WatchdogSec= of the unit; empty: no watchdog.
std::optional<Moment> watchdog_time();

}  // namespace lvs::monitord
