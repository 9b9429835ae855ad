#pragma once

// The configuration of a monitord in the middle of chaos: quick, and willing to write.

#include <chrono>
#include <string>

namespace lvs::chaos {

constexpr std::chrono::milliseconds interval{500};

inline std::string monitord_settings(int servers) {
  std::string text = R"(dry_run: false
interval: 500ms
hold_polls: 6
agent: {deadline: 200ms, keys: /run/master.yaml}
control: {socket: /run/control.sock}
state: {file: /run/state.journal}
defaults: {strategy: headroom, min_write_interval: 500ms, up_step: 1, slow_start: 1s, standby: steer}
servers:
)";
  for (int i = 1; i <= servers; ++i) {
    auto const n = std::to_string(i);
    text += "  10.2.0.1" + n + ": {name: rs" + n + "}\n" + "  \"fd02::1" + n + "\": {name: rs" + n +
            ", agent: 10.2.0.1" + n + "}\n";
  }
  return text;
}

}  // namespace lvs::chaos
