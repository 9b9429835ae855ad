#pragma once

// The configuration of a monitord in the middle of chaos: quick, and willing to write.

#include <chrono>
#include <string>

#include "kernel/settings.hpp"

namespace lvs::chaos {

constexpr std::chrono::milliseconds interval{500};

inline std::string monitord_settings(int servers) {
  guest::Settings settings;
  settings.hold_polls = "6";
  settings.defaults += ", slow_start: 1s";
  for (int i = 1; i <= servers; ++i) {
    auto const number = std::to_string(i);
    settings.servers += guest::server_line("10.2.0.1" + number, i, "") +
                        guest::server_line("fd02::1" + number, i, ", agent: 10.2.0.1" + number);
  }
  return guest::settings_text(settings);
}

}  // namespace lvs::chaos
