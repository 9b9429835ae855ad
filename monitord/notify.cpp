#include "monitord/notify.hpp"

#include <fmt/format.h>
#include <systemd/sd-daemon.h>

#include <chrono>
#include <cstdint>
#include <ctime>

namespace lvs::monitord {

void notify_ready(const std::string& status) {
  sd_notify(0, fmt::format("READY=1\nSTATUS={}", status).c_str());
}

void notify_alive(const std::string& status) {
  sd_notify(0, fmt::format("WATCHDOG=1\nSTATUS={}", status).c_str());
}

void notify_reloading() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const auto microseconds = std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
  sd_notify(0, fmt::format("RELOADING=1\nMONOTONIC_USEC={}", microseconds).c_str());
}

void notify_stopping() {
  sd_notify(0, "STOPPING=1");
}

std::optional<Moment> watchdog_time() {
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) <= 0) return std::nullopt;
  return std::chrono::microseconds(microseconds);
}

}  // namespace lvs::monitord
